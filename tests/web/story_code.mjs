// Code: the overview, a file with its outline, imports and history, and search.
import assert from 'node:assert/strict';

export async function codeStory(page, url) {
  await page.goto(`${url}/#/code`);
  await page.getByRole('heading', {name: 'Most imported'}).waitFor();
  await page.locator('.languages').getByText('python').first().waitFor();
  await page.locator('.commits').getByText('Commit the last batch of an import when the manifest ends').waitFor();
  await page.getByRole('link', {name: 'importer.py src/parcels/'}).first().click();
  await page.locator('.outline').getByText('import_manifest').click();
  await page.locator('.file-lines .marked').first().waitFor();
  assert.match(await page.locator('.import-graph').getAttribute('aria-label'), /[1-9]\d* files import it, it imports [1-9]/);
  await page.getByRole('heading', {name: 'Its tests'}).waitFor();
  await page.locator('.commits').getByText('Reject a row without a weight when a manifest is parsed').waitFor();
  await page.locator('.import-graph a').filter({hasText: 'batches.py'}).click();
  await page.getByRole('heading', {name: 'src/parcels/batches.py'}).waitFor();
  await page.getByLabel('Search the code').fill('committed offset');
  const found = page.getByRole('listbox', {name: 'What matches'}).getByRole('option');
  await found.first().waitFor();
  await found.filter({hasText: 'batches.py'}).first().click();
  await page.getByRole('heading', {name: 'src/parcels/batches.py'}).waitFor();
}
