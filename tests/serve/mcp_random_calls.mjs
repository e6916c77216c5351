// Random calls of every tool with random budgets: what is sent never counts more o200k tokens than max_tokens. The
// count is that of the tiktoken package, on the bytes of the result as they came.
//   node mcp_random_calls.mjs SOURCE_DIR PROGRAM NODE_MODULES [CALLS] [SEED]
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {LineClient, MODERN} from './mcp_line_client.mjs';
import {makeWorkspace} from './mcp_workspace.mjs';

const [sourceDir, program, npm, calls = '1000', seed = '7'] = process.argv.slice(2);
const {get_encoding} = createRequire(npm + '/any.js')('tiktoken');
const encoding = get_encoding('o200k_base');

// mulberry32: the same calls on every machine.
let state = Number(seed);
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const below = n => Math.floor(random() * n);
const pick = list => list[below(list.length)];
const words = 'import parcel carrier batch offset resume crash retry row cursor transaction Импорт 包裹 "quoted" \\back'.split(' ');
const text = () => Array.from({length: 1 + below(12)}, () => pick(words)).join(' ') + pick(['', '\n', ' src/parcels/importer.py', ' 🎒']);

const workspace = makeWorkspace(sourceDir, 40);
fs.writeFileSync(path.join(workspace, 'src/parcels/ünïcode "quotes".py'),
                 'def straße(x):\n\treturn "\\\\ \\" 🎒 ' + '\u2028'.repeat(50) + '"\n');
for (let i = 0; i < 60; ++i)
  fs.appendFileSync(path.join(workspace, '.context/DECISIONS.md'),
                    `\n## [2026-10-${String(1 + i % 28).padStart(2, '0')}-101500] Decision ${i}\n\n${'The "import" of \\ rows. '.repeat(i)}\n`);
const server = new LineClient(program, workspace);
await server.initialize();

const ask = async (name, args, era) => {
  const answer = await server.request('tools/call', {name, arguments: args, ...(era ? {_meta: MODERN} : {})});
  assert.ok(answer.result, JSON.stringify(answer));
  const start = answer.raw.indexOf('"result":') + '"result":'.length;
  return {result: answer.result, bytes: answer.raw.slice(start, -1)};
};
const {result: first} = await ask('retrieve_code', {task: 'resume the import'});
const taskOf = result => result.content[0].text.match(/^task_id: (\S+)$/m)?.[1];
const runOf = result => result.content[0].text.match(/^\((run-[0-9a-f]{12}), workspace /m)?.[1];
const taskIds = [taskOf(first)];
const runs = ['latest', runOf(first)];

const ARGUMENTS = {
  pack: () => ({task: text(), ...(below(3) ? {} : {sources: [pick(['code', 'notes', 'memory', 'graph'])]})}),
  search: () => ({query: `import ${pick(words).replace(/["\\]/g, '')}`, limit: 1 + below(200)}),
  recall: () => ({prompt: text(), mode: pick(['auto', 'minimal', 'full', 'graph_mode'])}),
  retrieve_code: () => ({task: text()}),
  refine_context: () => ({task_id: pick(taskIds), missing_files: [pick(['carriers.py', 'no_such.py', 'module_3.py'])]}),
  read: () => ({what: pick(['import_manifest', 'step_3_1', 'run_7', 'BatchStore', 'straße', 'importer.py', 'module_5.py',
    'ünïcode "quotes".py', 'README.md', 'importer.py:3-9']), limit: 1 + below(50)}),
  project_notes: () => below(2) ? {} : {task: text()},
  graph_pack: () => ({request: text(), intent: pick(['auto', 'plan', 'debug']), max_tasks: below(20), max_kg: below(40)}),
  graph_show: () => ({id: pick(['TG-TASK-RETRY', 'KG-CON-ACK', 'RG-DEC-OFFSET'])}),
  outcome: () => ({run: pick(runs), useful: below(2) === 1, ...(below(2) ? {missing: text()} : {})}),
  explain_packet: () => ({run: pick(runs), ...(below(3) ? {} : {expect: 'import'})}),
  index_status: () => ({}),
};
const budgets = [() => 300 + below(200), () => 300 + below(3000), () => 300 + below(40000), () => 300];

const seen = {};
let fullest = 0;
for (let i = 0; i < Number(calls); ++i) {
  const name = pick(Object.keys(ARGUMENTS));
  const args = {...ARGUMENTS[name](), max_tokens: pick(budgets)()};
  const {result, bytes} = await ask(name, args, below(2) === 1);
  assert.deepEqual(JSON.parse(bytes), result);
  const tokens = encoding.encode_ordinary(bytes).length;
  const what = `call ${i}, ${name} ${JSON.stringify(args)}: ${tokens} tokens`;
  assert.ok(tokens <= args.max_tokens, what);
  const row = seen[name] ??= {calls: 0, errors: 0};
  ++row.calls;
  if (result.isError) {
    ++row.errors;
    // Only the notes hold what is never left out.
    assert.equal(name, 'project_notes', what);
    assert.match(result.content[0].text, /too small for the shortest reply; give at least \d+/, what);
    continue;
  }
  fullest = Math.max(fullest, tokens / args.max_tokens);
  if (taskOf(result)) taskIds.push(taskOf(result));
  if (runOf(result)) runs.push(runOf(result));
}
assert.ok(fullest > 0.95, `budgets are used: ${fullest}`);
for (const [name, row] of Object.entries(seen)) assert.ok(row.errors < row.calls, `${name} answers sometimes`);
assert.deepEqual(await server.end(), {code: 0, signal: null});
console.log(`${calls} calls, none over; the fullest took ${(100 * fullest).toFixed(1)} %: ${JSON.stringify(seen)}`);
