// Memory: search, one memory, judging, correcting, forgetting, remembering, recalling; and what must not run.
import assert from 'node:assert/strict';
import {HOSTILE} from './workspace.mjs';

export async function memoryStory(page, url) {
  await page.goto(`${url}/#/memory`);
  const list = page.getByRole('listbox', {name: 'Memories, newest first'});
  await list.getByRole('option').first().waitFor();
  await page.getByLabel('Search memories').fill('crashed rows');
  await list.getByRole('option').filter({hasText: '11,000 rows'}).first().click();
  await page.getByText(/began again at row 0/).last().waitFor();
  await page.getByRole('button', {name: /^Useful/}).click();
  await page.getByText('Noted: useful 1, not useful 0.').waitFor();

  await page.getByRole('button', {name: 'Remember', exact: true}).click();
  await page.getByLabel(/What shall be remembered/).fill('The East carrier sends manifests at midnight');
  await page.locator('.memory-form').getByRole('button', {name: 'Remember'}).click();
  await page.locator('.memory-text').filter({hasText: 'at midnight'}).waitFor();
  await page.getByRole('button', {name: 'Correct…'}).click();
  await page.getByLabel(/What shall be remembered/).fill('The East carrier sends manifests at one in the morning');
  await page.getByRole('button', {name: 'Replace it'}).click();
  await page.locator('.memory-text').filter({hasText: 'at one in the morning'}).waitFor();
  await page.locator('.history .old').filter({hasText: 'at midnight'}).waitFor();
  await page.getByRole('button', {name: 'Forget…'}).click();
  await page.getByRole('button', {name: 'Forget it'}).click();
  await page.getByText('It is not recalled any more.').waitFor();

  await page.getByLabel('Search memories').fill('');
  await page.getByRole('link', {name: 'What would be recalled?'}).click();
  await page.getByLabel('What somebody says to the agent').fill('why did the import of the North manifest crash?');
  await page.getByRole('button', {name: 'Recall'}).click();
  const recalled = page.getByRole('listbox', {name: 'Memories that were considered'}).getByRole('option');
  await recalled.first().waitFor();
  await recalled.first().click();
  await page.getByRole('dialog').locator('.score-bars tr').first().waitFor();
  await page.keyboard.press('Escape');
}

// A memory of markup is text.
export async function hostileStory(page, url) {
  await page.goto(`${url}/#/memory`);
  const list = page.getByRole('listbox', {name: 'Memories, newest first'});
  await list.getByRole('option').filter({hasText: '<script>'}).click();
  await page.locator('.memory-text').waitFor();
  assert.equal(await page.locator('.memory-text').innerText(), HOSTILE);
  await page.locator('.memory-text').click();
  await page.goto(`${url}/#/pack`);
  await page.getByLabel('The task').fill(HOSTILE);
  await page.getByRole('button', {name: 'Pack', exact: true}).click();
  await page.locator('.packet-text').filter({hasText: '<script>'}).waitFor();
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.equal(await page.locator('main script, main img[src="x"], main b[onclick], main i').count(), 0);
}
