// A real Chromium for the tests of the inspector: what it asks for, what it complains of, what it looks like.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';

const PROGRAM = '/usr/bin/chromium';

export class Browser {
  // `pictures` is the folder for screenshots, `npm` where playwright-core and axe-core are installed.
  static async start(npm, pictures) {
    const require = createRequire(path.join(npm, 'any.js'));
    const browser = new Browser();
    browser.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'knapsack-browser-'));
    browser.netLog = path.join(browser.folder, 'net.json');
    browser.pictures = pictures;
    browser.axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
    fs.mkdirSync(pictures, {recursive: true});
    browser.chromium = await require('playwright-core').chromium.launch({
      executablePath: PROGRAM,
      args: ['--no-sandbox', '--disable-dev-shm-usage', `--log-net-log=${browser.netLog}`,
             // What the browser asks of its maker is not the page's; it finds nobody.
             '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'],
    });
    return browser;
  }

  // A window of its own, with nothing remembered. Fails on whatever a page should never do.
  async open({width = 1280, height = 900, theme = 'light'} = {}) {
    const context = await this.chromium.newContext({viewport: {width, height}, colorScheme: theme, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC', permissions: ['clipboard-read', 'clipboard-write']});
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const seen = {requests: [], problems: []};
    page.on('request', request => seen.requests.push(request.url()));
    page.on('pageerror', error => seen.problems.push(`error: ${error.message}`));
    page.on('dialog', dialog => { seen.problems.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
    page.on('console', message => { if (message.type() === 'error') seen.problems.push(`console: ${message.text()} (${message.location().url})`); });
    await page.addInitScript(() => addEventListener('securitypolicyviolation', event => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)));
    page.seen = seen;
    return page;
  }

  async picture(page, name) { await page.screenshot({path: path.join(this.pictures, `${name}.png`)}); }

  // No violation that keeps somebody out.
  async accessible(page, what) {
    await page.evaluate(this.axe);
    const found = await page.evaluate(() => globalThis.axe.run(document, {resultTypes: ['violations']}));
    const grave = found.violations.filter(each => each.impact === 'serious' || each.impact === 'critical');
    assert.deepEqual(grave.map(each => `${each.id}: ${each.nodes.map(node => `${node.target} ${node.failureSummary}`).slice(0, 3).join('; ')}`), [], what);
    return found.passes?.length ?? 0;
  }

  // Every address that pages asked for and that the browser connected to, from its own log.
  async stop() {
    await this.chromium.close();
    const log = JSON.parse(fs.readFileSync(this.netLog, 'utf8').replace(/,\s*$/, ']}'));
    fs.rmSync(this.folder, {recursive: true, force: true});
    const types = Object.fromEntries(Object.entries(log.constants.logEventTypes).map(([name, number]) => [number, name]));
    const asked = new Set(), connected = new Set();
    for (const event of log.events) {
      const byPage = /^https?:/.test(event.params?.initiator ?? '') || event.params?.url?.startsWith('http://127.');
      if (types[event.type] === 'URL_REQUEST_START_JOB' && byPage) asked.add(event.params.url);
      if (types[event.type] === 'TCP_CONNECT_ATTEMPT' && event.params?.address) connected.add(event.params.address);
    }
    return {asked: [...asked], connected: [...connected]};
  }
}

// Fails when a page complained, or asked for anything that is not the server's.
export function clean(page, url) {
  assert.deepEqual(page.seen.problems, []);
  assert.deepEqual(page.seen.requests.filter(each => !each.startsWith(`${url}/`)), []);
}
