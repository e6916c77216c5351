// The inspector in a real Chromium against a real `knapsack ui`: every view's story, by mouse and by keyboard, what
// may not run, what may not be asked, whom it keeps out, and how it looks.
//   node inspector.mjs SOURCE_DIR PROGRAM PICTURES
import assert from 'node:assert/strict';
import path from 'node:path';
import {Browser, clean} from './browser.mjs';
import {doorStory, pageBytes} from './story_door.mjs';
import {codeStory} from './story_code.mjs';
import {graphStory, notesStory} from './story_graph.mjs';
import {emptyStory} from './story_empty.mjs';
import {hostileStory, memoryStory} from './story_memory.mjs';
import {packByKeyboard, packStory} from './story_pack.mjs';
import {qualityStory} from './story_quality.mjs';
import {runsStory} from './story_runs.mjs';
import {looks} from './looks.mjs';
import {UiProgram} from './ui_program.mjs';
import {usedWorkspace} from './workspace.mjs';

const [sourceDir, program, pictures] = process.argv.slice(2).map(each => path.resolve(each));
const began = Date.now();
const step = name => console.log(`${((Date.now() - began) / 1000).toFixed(1)} s  ${name}`);

const {folder} = usedWorkspace(sourceDir, program);
step('the workspace is there');
const ui = await UiProgram.start(program, folder, ['--no-browser']);
const browser = await Browser.start(path.join(sourceDir, 'web/node_modules'), pictures);
step('the browser is there');

await pageBytes(ui);
const page = await browser.open();
await doorStory(browser, page, ui, program, folder);
step('the door');
for (const [name, story] of Object.entries({packStory, runsStory, memoryStory, codeStory, graphStory, notesStory, qualityStory, hostileStory})) {
  await story(page, ui.url);
  clean(page, ui.url);
  step(name);
}
await packByKeyboard(page, ui.url);
clean(page, ui.url);
step('packByKeyboard');
await looks(browser, page, ui);
step('looks');
await emptyStory(browser, program);
step('emptyStory');
await page.context().close();
const {asked, connected} = await browser.stop();
assert.deepEqual(connected.filter(each => !each.startsWith('127.0.0.1:') && !each.startsWith('[::1]:')), [], 'no connection leaves the machine');
assert.deepEqual(asked.filter(each => !each.startsWith('http://127.0.0.1:')), [], 'no request leaves the machine');
assert.ok(connected.length > 0 && asked.some(each => each.endsWith('/v1/preview/pack')), 'the log has what was asked');
await ui.stop();
step(`all held; ${asked.length} addresses asked, all of this machine`);
