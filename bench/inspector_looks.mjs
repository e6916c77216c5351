// Every view of the inspector on a repository of yours, as pictures to look at: light and dark, wide and narrow.
//   node inspector_looks.mjs SOURCE_DIR PROGRAM REPOSITORY FILE TASK PICTURES
// FILE is one of its files, which the view of one file shows. The repository is copied; the copy gets memories, nodes and
// runs. Fails where something is covered, cut or out of the reach of people who do not see it.
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {Browser} from '../tests/web/browser.mjs';
import {looks} from '../tests/web/looks.mjs';
import {UiProgram} from '../tests/web/ui_program.mjs';

const [sourceDir, program, repository] = process.argv.slice(2, 5).map(each => path.resolve(each));
const [file, task, pictures] = process.argv.slice(5);
const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'knapsack-looks-')), path.basename(repository));
process.on('exit', () => fs.rmSync(path.dirname(folder), {recursive: true, force: true}));
fs.cpSync(repository, folder, {recursive: true, filter: name => !name.includes('/.knapsack')});
const run = (...args) => execFileSync(program, args, {cwd: folder, stdio: 'pipe', encoding: 'utf8', maxBuffer: 1 << 28});

run('remember', `Asked before: ${task}`, '--category', 'fact');
run('remember', 'We decided to keep every public interface as it is until the next major version.', '--category', 'decision');
fs.mkdirSync(path.join(folder, '.context'), {recursive: true});
fs.writeFileSync(path.join(folder, '.context/DECISIONS.md'), `# Decisions\n\n## [2026-11-10-101500] ${task}\n\n**Decision**: It is mended where the pages are chosen.\n`);
run('graph', 'init');
fs.writeFileSync(path.join(folder, 'graphs/tg_nodes.jsonl'), Array.from({length: 300}, (_, i) => JSON.stringify({id: `TG-TASK-${i}`, type: 'task', title: `Task number ${i}: ${task}`, status: 'ready', rev: 1, updated_at: '2026-11-01T00:00:00Z', links: i > 0 ? [`TG-TASK-${Math.floor(i / 3)}`] : []})).join('\n') + '\n');
run('pack', task, '--budget', '4000');
run('pack', task, '--budget', '12000', '--fill');
fs.mkdirSync(path.join(folder, '.knapsack/eval'), {recursive: true});
run('eval', '--from-git', '3', '--no-meaning', '--out', path.join(folder, '.knapsack/eval/looks.json'));

const ui = await UiProgram.start(program, folder, ['--no-browser']);
const browser = await Browser.start(path.join(sourceDir, 'web/node_modules'), path.resolve(pictures));
const page = await browser.open();
await page.goto(ui.address);
await page.getByLabel('The task').waitFor();
await looks(browser, page, ui, [
  ['pack', '#/pack', '.treemap .cell'],
  ['runs', '#/runs/2', '.decisions .row'],
  ['compare', '#/runs/1/2', '.change .row'],
  ['memory', '#/memory', '.memories .row'],
  ['code', '#/code', '.ranking li'],
  ['file', `#/code/file/${encodeURIComponent(file)}`, '.file-lines .line'],
  ['graph', '#/graph/node/TG-TASK-7', '.json'],
  ['notes', '#/graph/notes', '.note'],
  ['quality', '#/quality', '.chart'],
], task, 8000);
await browser.stop();
await ui.stop();
console.log(`the pictures are in ${path.resolve(pictures)}`);
