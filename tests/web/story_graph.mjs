// Graph and notes: a node with its edges and revisions, and what the last packets used of the notes.
import assert from 'node:assert/strict';

export async function graphStory(page, url) {
  await page.goto(`${url}/#/graph`);
  const list = page.getByRole('listbox', {name: 'Nodes, newest first'});
  await list.getByRole('option').first().waitFor();
  const all = await list.getByRole('option').count();
  await page.getByRole('switch', {name: /Tasks/}).click();
  await page.waitForFunction(before => document.querySelectorAll('.nodes .row').length < before, all);
  await page.getByRole('switch', {name: /Tasks/}).click();
  await page.getByLabel('Find a node').fill('503');
  await list.getByRole('option').filter({hasText: 'Retry a carrier that answers 503'}).click();
  await page.getByRole('heading', {name: 'Retry a carrier that answers 503'}).waitFor();
  await page.getByText(/depends on/).first().waitFor();
  await page.locator('.json').filter({hasText: '"id": "TG-TASK-RETRY"'}).waitFor();
  await page.locator('.detail .plain a').filter({hasText: 'Resume an import after a crash'}).first().click();
  await page.getByRole('heading', {name: 'Resume an import after a crash'}).waitFor();
  await page.getByLabel('Find a node').fill('');
}

export async function notesStory(page, url) {
  await page.goto(`${url}/#/graph/notes`);
  await page.getByText('How often the last 3 packets showed each entry').waitFor();
  const entry = page.locator('.note').filter({hasText: 'Resume an import after a crash'}).first();
  assert.match(await entry.locator('.used').innerText(), /[1-3] of 3 packets/);
  await entry.locator('summary').click();
  await entry.getByText(/remember the last committed row/).first().waitFor();
  await page.getByLabel('Find in the notes').fill('nothing is called so');
  await page.getByText('No note matches.').waitFor();
  await page.getByLabel('Find in the notes').fill('');
}
