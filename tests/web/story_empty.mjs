// A folder in which nobody has begun anything: every view says what it would show and how that begins, and none of
// them calls it a failure.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {UiProgram} from './ui_program.mjs';

const PLACES = {'#/runs': 'No runs yet', '#/memory': 'Nothing is remembered yet', '#/graph': 'There is no graph here yet', '#/graph/notes': 'There are no project notes here yet', '#/quality': 'Nothing was measured here yet'};

export async function emptyStory(browser, program) {
  const above = fs.mkdtempSync(path.join(os.tmpdir(), 'knapsack-empty-'));
  process.on('exit', () => fs.rmSync(above, {recursive: true, force: true}));
  const folder = path.join(above, 'new');
  fs.mkdirSync(path.join(folder, '.knapsack'), {recursive: true});
  fs.writeFileSync(path.join(folder, 'main.py'), 'print("hello")\n');
  const ui = await UiProgram.start(program, folder, ['--no-browser']);
  // The address opens the page once.
  const page = await browser.open({width: 1280, height: 740});
  await page.goto(ui.address);
  await page.getByLabel('The task').waitFor();
  for (const width of [1280, 360]) {
    await page.setViewportSize({width, height: 740});
    for (const [place, says] of Object.entries(PLACES)) {
      await page.goto(`${ui.url}/${place}`);
      await page.getByText(says).waitFor();
      assert.equal(await page.locator('.failed').count(), 0, `${place} at ${width} px`);
    }
  }
  await page.context().close();
  await ui.stop();
}
