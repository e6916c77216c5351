// Pack: a task, its packet and map, the slider, the switches, a part looked at closely; then all of it by keyboard.
import assert from 'node:assert/strict';

const TASK = 'resume an import after a crash';

async function used(page) {
  const text = await page.locator('.summary strong').innerText();
  return Number(text.replaceAll(/\D/g, ''));
}

// Waits until a packet of the budget in the box is shown.
async function packed(page, budget) {
  await page.waitForFunction(wanted => {
    const summary = document.querySelector('.summary');
    return summary?.getAttribute('aria-busy') === 'false' && summary.textContent.replaceAll(',', '').includes(`of ${wanted} tokens`);
  }, budget);
}

export async function packStory(page, url) {
  await page.goto(`${url}/#/pack`);
  await page.getByText('What would your agent be told?').waitFor();
  await page.getByLabel('The task').fill(TASK);
  await page.getByLabel('Budget in tokens').fill('1200');
  await page.getByLabel('Budget in tokens').press('Tab');
  await page.getByRole('button', {name: 'Pack', exact: true}).click();
  await packed(page, 1200);
  assert.ok(await used(page) <= 1200);

  // The packet as it is read: the rules are in it, and the file that the task is about.
  const packet = page.getByRole('region', {name: 'The packet as it is read'});
  await packet.getByText('Never lose a manifest that was acknowledged to a carrier').waitFor();
  await packet.getByRole('heading', {name: /src\/parcels\/importer\.py/}).waitFor();
  // The map holds the same file as one of its parts.
  assert.ok(await page.locator('.treemap .cell.code').count() > 0);
  assert.ok(await page.locator('.treemap .cell.notes').count() > 0);

  // What was left out comes behind the cut, with its price.
  await page.getByRole('button', {name: /Left out/}).click();
  const left = page.getByRole('listbox', {name: 'Parts that were considered'}).getByRole('option');
  assert.ok(await left.count() > 0);
  assert.match(await left.first().locator('.figures').innerText(), /\+\d+/);
  await page.getByRole('button', {name: /^All/}).click();

  // Less budget, fewer tokens; more again, and more is shown.
  const before = await used(page);
  await page.getByLabel('Budget', {exact: true}).fill('60');
  await page.waitForFunction(was => Number(document.querySelector('.summary strong').textContent.replaceAll(/\D/g, '')) < was, before);
  const small = Number(await page.getByLabel('Budget in tokens').inputValue());
  await packed(page, small);
  assert.ok(await used(page) <= small || small < 300, 'only the rules may cost more');
  await page.getByLabel('Budget in tokens').fill('4000');
  await page.getByLabel('Budget in tokens').press('Enter');
  await packed(page, 4000);
  assert.ok(await used(page) >= before);

  // Without notes nothing of them is in the map.
  await page.getByRole('switch', {name: 'Notes'}).click();
  await page.waitForFunction(() => document.querySelectorAll('.treemap .cell.notes').length === 0);
  await page.getByRole('switch', {name: 'Notes'}).click();
  await page.waitForFunction(() => document.querySelectorAll('.treemap .cell.notes').length > 0);

  // A part: its score by component, and the file around it.
  await page.getByLabel('Find a part by its name').fill('import_manifest');
  await page.getByRole('listbox', {name: 'Parts that were considered'}).getByRole('option').first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('The file around it').waitFor();
  await drawer.locator('.file-lines .marked').first().waitFor();
  assert.match(await drawer.locator('.file-lines').innerText(), /def import_manifest/);
  assert.ok(await drawer.locator('.score-bars tr').count() > 0);
  await page.keyboard.press('Escape');
  await drawer.waitFor({state: 'detached'});
  // Somebody who looks for what is not there is told so.
  await page.getByLabel('Find a part by its name').fill('no such thing');
  await page.getByText('Nothing that was considered is called “no such thing”.').waitFor();
  await page.getByLabel('Find a part by its name').fill('');
}

// Waits until the packet of a reply is the one that is shown.
async function shown(page, reply) {
  const {used: tokens} = await reply.json();
  await page.waitForFunction(wanted => {
    const summary = document.querySelector('.summary');
    return summary.getAttribute('aria-busy') === 'false' && Number(summary.querySelector('strong').textContent.replaceAll(/\D/g, '')) === wanted;
  }, tokens);
}

const withoutChosen = what => what.replace(/ chosen\b/, '').replaceAll(/ +/g, ' ');

// The same without a mouse.
export async function packByKeyboard(page, url) {
  await page.goto(`${url}/#/pack`);
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await page.getByLabel('The task').waitFor();
  const focused = () => page.evaluate(() => { const at = document.activeElement; return `${at.tagName.toLowerCase()}#${at.id} ${at.getAttribute('aria-label') ?? ''} ${at.className} ${at.textContent.slice(0, 30)}`; });
  const tabTo = async wanted => {
    const way = [];
    for (let step = 0; step < 60; ++step) {
      await page.keyboard.press('Tab');
      way.push(await focused());
      if (wanted.test(way.at(-1))) return;
    }
    assert.fail(`the tab key never comes to ${wanted}: ${way.join(' | ')}`);
  };
  await tabTo(/^a#.*To the content/);
  await page.keyboard.press('Enter');
  assert.match(await focused(), /^main#main/);
  await tabTo(/^textarea#task/);
  await page.keyboard.type(TASK);
  await page.keyboard.press('Enter');
  await page.locator('.treemap .cell').first().waitFor();
  await tabTo(/^input#budget /);
  const budget = Number(await page.getByLabel('Budget in tokens').inputValue());
  for (let step = 0; step < 120; ++step) await page.keyboard.press('ArrowLeft');
  const less = Number(await page.getByLabel('Budget in tokens').inputValue());
  assert.ok(less < budget, `${less} is less than ${budget}`);
  await packed(page, less);
  await tabTo(/switch memory/);
  // A small packet may hold no memory anyway: only the reply says that the map will not change under the focus.
  const replied = page.waitForResponse(response => response.url().endsWith('/v1/preview/pack'));
  await page.keyboard.press('Space');
  await shown(page, await replied);
  assert.equal(await page.locator('.treemap .cell.memory').count(), 0);
  await tabTo(/The packet as it is read/);
  await tabTo(/ cell /);
  const first = await focused();
  await page.keyboard.press('ArrowRight');
  const second = await focused();
  assert.notEqual(second, first);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({state: 'detached'});
  // What had the focus has it again, at the latest with the next frame.
  await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  assert.equal(withoutChosen(await focused()), withoutChosen(second));
  // A packet that comes meanwhile leaves the focus where it is, whatever the map looks like then.
  const other = page.waitForResponse(response => response.url().endsWith('/v1/preview/pack'));
  await page.evaluate(() => document.querySelector('.switch.memory').click());
  await shown(page, await other);
  assert.match(await focused(), / cell /);
  await tabTo(/Parts that were considered/);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText(/left out; would cost/).waitFor();
  await page.keyboard.press('Escape');
}
