// Who is let in: the one-time key of `knapsack ui`, the token, and nobody else; and what the page's bytes promise.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {UiProgram} from './ui_program.mjs';

// The policy has no exception, the tags are strong, and what did not change is not sent again.
export async function pageBytes(ui) {
  let total = 0;
  for (const part of ['/', '/app.js', '/app.css', '/icon.svg']) {
    const reply = await fetch(ui.url + part);
    assert.equal(reply.status, 200, part);
    assert.equal(reply.headers.get('content-encoding'), 'gzip');
    const policy = reply.headers.get('content-security-policy');
    const directives = policy.split(';').map(each => each.trim().split(' '));
    assert.ok(directives.some(([name, ...values]) => name === 'default-src' && values.join() === "'self'"));
    assert.ok(directives.some(([name, ...values]) => name === 'frame-ancestors' && values.join() === "'none'"));
    for (const [name, ...values] of directives) assert.ok(values.every(value => ["'self'", "'none'", "'script'"].includes(value)), `${name} ${values}`);
    assert.match(reply.headers.get('etag'), /^"[0-9a-f]{32}-gzip"$/);
    const again = await fetch(ui.url + part, {headers: {'if-none-match': reply.headers.get('etag')}});
    assert.equal(again.status, 304);
    const plain = await fetch(ui.url + part, {headers: {'accept-encoding': 'identity'}});
    assert.notEqual(plain.headers.get('etag'), reply.headers.get('etag'));
    assert.equal(await plain.text(), await reply.text());
    total += Number(reply.headers.get('content-length'));
  }
  assert.ok(total > 10_000 && total <= 200 * 1024, `${total} bytes compressed`);
}

export async function doorStory(browser, page, ui, program, folder) {
  // Whoever has no key is asked for the token, and a wrong one opens nothing.
  await page.goto(ui.url);
  await page.getByText('This server asks for its token.').waitFor();
  await browser.accessible(page, 'the door');
  await page.getByLabel('Token').fill('0123456789abcdef0123');
  await page.getByRole('button', {name: 'Look inside'}).click();
  await page.getByText('The server does not take this token.').waitFor();
  await page.getByLabel('Token').fill(ui.token);
  await page.getByRole('button', {name: 'Look inside'}).click();
  await page.getByLabel('The task').waitFor();
  // That a page without a session is refused shows in the console, as it should: nothing else may.
  assert.ok(page.seen.problems.every(each => each.includes('401')), page.seen.problems.join('\n'));
  page.seen.problems.length = 0;

  // The key opens one page, once, and does not stay in the address.
  const other = await browser.open();
  await other.goto(ui.address);
  await other.getByLabel('The task').waitFor();
  assert.equal(new URL(other.url()).hash, '#/pack');
  await other.reload();
  await other.getByLabel('The task').waitFor();
  assert.deepEqual(other.seen.problems, []);
  await other.context().close();
  const late = await browser.open();
  await late.goto(ui.address);
  await late.getByText('This server asks for its token.').waitFor();
  await late.context().close();

  // A session alone changes nothing: the page's CSRF token must come with it.
  const session = await (await fetch(`${ui.url}/v1/session`, {method: 'POST', headers: {'content-type': 'application/json', authorization: `Bearer ${ui.token}`}, body: '{}'})).json();
  const remember = headers => fetch(`${ui.url}/v1/remember`, {method: 'POST', headers: {'content-type': 'application/json', authorization: `Bearer ${session.token}`, ...headers}, body: JSON.stringify({text: 'Parcels of the West carrier are weighed twice'})});
  assert.equal((await remember({})).status, 403);
  assert.equal((await remember({'x-knapsack-csrf': 'f'.repeat(64)})).status, 403);
  assert.equal((await remember({'x-knapsack-csrf': session.csrf})).status, 200);

  // With a display the desktop's opener is given the address.
  const tools = fs.mkdtempSync(path.join(folder, '..', 'knapsack-tools-'));
  process.on('exit', () => fs.rmSync(tools, {recursive: true, force: true}));
  fs.writeFileSync(path.join(tools, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > '${tools}/opening' && mv '${tools}/opening' '${tools}/opened'\n`, {mode: 0o755});
  const opened = new Promise(resolve => {
    const watcher = fs.watch(tools, () => { if (fs.existsSync(path.join(tools, 'opened'))) { watcher.close(); resolve(); } });
  });
  const second = await UiProgram.start(program, folder, [], {DISPLAY: ':9', PATH: `${tools}:${process.env.PATH}`});
  await opened;
  assert.equal(fs.readFileSync(path.join(tools, 'opened'), 'utf8'), second.address);
  await second.stop();
}
