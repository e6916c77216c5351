// Runs: the list and its filters, one run and why something is not in it, two side by side.
import assert from 'node:assert/strict';

export async function runsStory(page, url) {
  await page.goto(`${url}/#/runs`);
  const list = page.getByRole('listbox', {name: 'Runs, newest first'});
  await list.getByRole('option').first().waitFor();
  assert.ok(await list.getByRole('option').count() >= 5);
  await page.getByLabel('Command').selectOption('pack');
  await page.waitForFunction(() => document.querySelectorAll('.runs .row').length === 2);
  await page.getByLabel('From').fill('2026-11-16');
  await page.getByText('No run matches.').waitFor();
  await page.getByLabel('From').fill('2026-11-15');
  await page.waitForFunction(() => document.querySelectorAll('.runs .row').length === 2);

  await list.getByRole('option').first().click();
  await page.getByRole('heading', {name: 'resume an import after a crash'}).waitFor();
  await page.getByLabel('Why is something (not) there?').fill('carriers.py');
  await page.locator('.answer').filter({hasText: 'carriers.py'}).waitFor();
  await page.getByRole('listbox', {name: 'What the run considered'}).getByRole('option').first().click();
  await page.getByRole('dialog').locator('.score-bars').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', {name: 'What it handed out'}).click();
  await page.getByRole('dialog').getByText('Never log the contents of a parcel, only its id').waitFor();
  await page.keyboard.press('Escape');

  // The larger budget showed more: those entries have left in the smaller one.
  await page.getByRole('button', {name: 'Compare…'}).click();
  await list.getByRole('option').nth(1).click();
  await page.getByRole('heading', {name: /Run \d+ and run \d+/}).waitFor();
  const leftCount = await page.locator('.change.left h3 b').innerText();
  assert.ok(Number(leftCount) > 0, 'something left with the smaller budget');
}
