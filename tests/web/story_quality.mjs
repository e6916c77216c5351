// Quality: the charts of the newest report.
import assert from 'node:assert/strict';

export async function qualityStory(page, url) {
  await page.goto(`${url}/#/quality`);
  await page.getByRole('heading', {name: 'By budget'}).waitFor();
  const chart = page.getByRole('img', {name: /by budget/});
  assert.match(await chart.getAttribute('aria-label'), /% at 500.*% at 2000/);
  assert.ok(await chart.locator('.band').count() > 0, 'intervals are drawn');
  await page.getByLabel('Metric by budget').selectOption({index: 1});
  await page.getByRole('img', {name: /by method/}).waitFor();
  assert.ok(await page.locator('.figures-table tbody tr').count() > 3);
}
