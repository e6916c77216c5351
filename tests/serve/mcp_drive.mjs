// Drives every tool, the resources and the prompt through an official client that is connected already, whatever
// transport it uses. `wrap` gives clients of both generations one face.
import assert from 'node:assert/strict';

export const TOOLS = [
  'pack', 'search', 'recall', 'remember', 'forget', 'memory_feedback', 'note', 'retrieve_code', 'refine_context',
  'read', 'project_notes', 'graph_pack', 'graph_show', 'graph_put', 'graph_clarify', 'explain_packet', 'index_status',
  'outcome'
];
const WRITING = ['remember', 'forget', 'memory_feedback', 'note', 'graph_put', 'graph_clarify', 'outcome'];
const READING = TOOLS.filter(name => !WRITING.includes(name));

// `generation` 1: @modelcontextprotocol/sdk, 2: @modelcontextprotocol/client.
export function wrap(client, generation) {
  return {
    client,
    call: (name, args, options) => generation === 1 ? client.callTool({name, arguments: args}, undefined, options)
                                                    : client.callTool({name, arguments: args}, options),
  };
}

async function refused(promise, code) {
  await assert.rejects(promise, error => {
    assert.equal(error.code, code, error.message);
    return true;
  });
}

// A reply that is no error: one text that names the workspace, and what later calls refer to.
function checkReply(name, reply, workspace) {
  assert.ok(!reply.isError, `${name}: ${reply.content?.[0]?.text}`);
  assert.equal(reply.content.length, 1);
  assert.equal(reply.content[0].type, 'text');
  assert.equal(reply.structuredContent, undefined, name);
  const {text} = reply.content[0];
  assert.ok(text.includes(`workspace ${workspace})`), name);
  return {text, run: text.match(/^\((run-[0-9a-f]{12}), workspace /m)?.[1], task_id: text.match(/^task_id: (\S+)$/m)?.[1],
          id: text.match(/^Remembered as (\S+) /)?.[1]};
}

async function driveTools(peer, workspace) {
  const {client, call} = peer;
  const {tools} = await client.listTools();
  assert.deepEqual(tools.map(tool => tool.name).sort(), [...TOOLS].sort());
  for (const tool of tools) {
    assert.ok(tool.title && tool.description, tool.name);
    assert.ok(Buffer.byteLength(tool.description) < 2048, tool.name);
    assert.equal(tool.inputSchema.additionalProperties, false, tool.name);
    assert.equal(tool.outputSchema, undefined, tool.name);
    assert.equal(tool.annotations.readOnlyHint, READING.includes(tool.name), tool.name);
    assert.equal(tool.annotations.openWorldHint, false, tool.name);
    if (tool.name === 'forget') assert.equal(tool.annotations.destructiveHint, true);
    if (tool.name === 'remember') assert.equal(tool.annotations.destructiveHint, false);
  }
  const ask = async (name, args, options) => checkReply(name, await call(name, args, options), workspace);

  const task = 'resume an interrupted parcel import';
  const packed = await ask('pack', {task});
  assert.match(packed.run, /^run-[0-9a-f]{12}$/);
  assert.match(packed.text, /importer\.py/);
  assert.match(packed.text, /Constitution/);
  const codeOnly = await ask('pack', {task, sources: ['code'], max_tokens: 3000});
  assert.doesNotMatch(codeOnly.text, /Constitution/);

  const found = await ask('search', {query: 'import batch', limit: 5});
  const rows = found.text.split('\n').filter(line => /^(code|notes|memory|graph) /.test(line));
  assert.ok(rows.length > 0 && rows.length <= 5, found.text);
  assert.match(found.run, /^run-[0-9a-f]{12}$/);

  const recalled = await ask('recall', {prompt: 'what do we know about import offsets?', mode: 'full'});
  assert.match(recalled.text, /offset/);
  const noted = await ask('remember', {text: `Decision: carriers are polled hourly ${Date.now()} ${Math.random()}`,
                                       tags: ['carriers'], importance: 0.9});
  assert.ok(noted.id, noted.text);
  assert.match((await ask('recall', {prompt: 'how often are carriers polled?', mode: 'full'})).text, /hourly/);
  assert.ok((await ask('forget', {id: noted.id})).text.includes(noted.id));
  assert.doesNotMatch((await ask('recall', {prompt: 'how often are carriers polled?', mode: 'full'})).text,
                      /polled hourly/);
  const gone = await ask('forget', {id: noted.id, purge: true});
  assert.match(gone.text, /is deleted \(\d+ files\)/);

  const retrieved = await ask('retrieve_code', {task, max_tokens: 4000});
  assert.match(retrieved.text, /importer\.py/);
  const refined = await ask('refine_context', {
    task_id: retrieved.task_id, reason: 'the carriers were missing', missing_files: ['carriers.py'], max_tokens: 6000});
  assert.match(refined.text, /carriers\.py/);
  assert.equal(refined.task_id, retrieved.task_id);

  const file = await ask('read', {what: 'importer.py'});
  assert.match(file.text, /^src\/parcels\/importer\.py  python/);
  assert.match(file.text, /\d+ def import_manifest/);
  assert.doesNotMatch((await ask('read', {what: 'importer.py:1-2'})).text, /def import_manifest/);
  const symbol = await ask('read', {what: 'import_manifest'});
  assert.match(symbol.text, /Source of/);
  assert.match(symbol.text, /src\/parcels\/importer\.py/);
  assert.match(symbol.text, /test_an_import_goes_on_where_it_stopped/);

  assert.match((await ask('project_notes', {task})).text, /NEVER VIOLATE/);
  assert.match((await ask('graph_pack', {request: task, intent: 'plan'})).text, /TG-|KG-|RG-/);
  const put = await ask('graph_put', {nodes: [{type: 'fact', title: `Carriers answer in UTF-8 ${Date.now()}`}]});
  const node = put.text.match(/^(KG-FACT-\S+) revision 1; committed as CM-/)?.[1];
  assert.ok(node, put.text);
  assert.match((await ask('graph_show', {id: node})).text, /Carriers answer in UTF-8/);
  assert.match((await ask('graph_clarify', {request: 'build the quantum zeppelin'})).text, /^TG-TASK-\S+ asks for the missing information/);
  assert.match((await ask('outcome', {run: packed.run, useful: true, missing: 'the manual'})).text, /^Kept\./);
  const explained = await ask('explain_packet', {run: packed.run});
  assert.ok(explained.text.includes(packed.run));
  assert.match(explained.text, /importer\.py/);
  assert.match((await ask('explain_packet', {run: packed.run, expect: 'importer'})).text, /importer/);
  assert.match((await ask('index_status', {})).text, /code: \d+ files/);
  return {packed, retrieved};
}

async function driveMistakes({client, call}) {
  const wrong = async (name, args, pattern) => {
    const reply = await call(name, args);
    assert.equal(reply.isError, true, `${name} ${JSON.stringify(args)}`);
    assert.equal(reply.structuredContent, undefined);
    assert.match(reply.content[0].text, pattern);
  };
  await wrong('pack', {}, /'task' is missing/);
  await wrong('pack', {task: 'x', max_token: 500}, /no argument 'max_token'.*did you mean max_tokens/);
  await wrong('pack', {task: 'x', max_tokens: 5}, /max_tokens: is 5, at least 300/);
  await wrong('pack', {task: 'x', max_tokens: 'many'}, /max_tokens: must be of type integer/);
  await wrong('pack', {task: 'x', sources: ['dreams']}, /sources\/0: must be one of/);
  await wrong('pack', {task: ' '}, /task is empty/);
  await wrong('recall', {prompt: 'x', as_of: 'yesterday'}, /yesterday/);
  await wrong('remember', {text: 'x', category: 'nonsense'}, /nonsense/);
  await wrong('forget', {id: 'no-such-memory'}, /no-such-memory/);
  await wrong('refine_context', {task_id: 'task-unknown', missing_files: ['a.py']}, /task-unknown/);
  await wrong('read', {what: 'no_such_symbol_at_all'}, /no file or name is called/);
  await wrong('read', {what: 'no/such/file.py'}, /no file/);
  await wrong('explain_packet', {run: 'run-ffffffffffff'}, /run-ffffffffffff/);
  await wrong('search', {query: '-only -excluded'}, /no words/);
  await refused(call('no_such_tool', {}), -32602);
  await refused(client.readResource({uri: 'knapsack://run/run-ffffffffffff'}), -32602);
  await refused(client.readResource({uri: 'knapsack://notes/../knapsack.toml'}), -32602);
  await refused(client.readResource({uri: 'file:///etc/passwd'}), -32602);
  await refused(client.getPrompt({name: 'no_such_prompt', arguments: {}}), -32602);
  await refused(client.getPrompt({name: 'start_task', arguments: {}}), -32602);
}

async function driveContent({client}, {packed, retrieved}) {
  const {resources} = await client.listResources();
  const uri = `knapsack://run/${packed.run}`;
  assert.ok(resources.some(each => each.uri === uri), 'the run is listed');
  assert.ok(resources.some(each => each.uri === 'knapsack://notes/DECISIONS.md'), 'the notes are listed');
  const {resourceTemplates} = await client.listResourceTemplates();
  assert.deepEqual(resourceTemplates.map(each => each.uriTemplate),
                   ['knapsack://run/{run_id}', 'knapsack://notes/{+file}']);
  // What is read again is what was handed out, byte for byte; the reply itself only adds its last line.
  for (const reply of [packed, retrieved]) {
    const {contents} = await client.readResource({uri: `knapsack://run/${reply.run}`});
    assert.equal(contents[0].mimeType, 'text/markdown');
    assert.ok(reply.text.startsWith(contents[0].text));
    assert.match(reply.text.slice(contents[0].text.length), /^\(run-[0-9a-f]{12}, workspace .*\)\n(task_id: \S+\n)?$/);
  }
  const notes = await client.readResource({uri: 'knapsack://notes/DECISIONS.md'});
  assert.match(notes.contents[0].text, /^# /m);
  const {prompts} = await client.listPrompts();
  assert.deepEqual(prompts.map(each => each.name), ['start_task']);
  const prompt = await client.getPrompt({name: 'start_task', arguments: {task: 'speed up imports', max_tokens: '3000'}});
  assert.equal(prompt.messages[0].role, 'user');
  assert.match(prompt.messages[0].content.text, /^speed up imports\n/);
  assert.match(prompt.messages[0].content.text, /importer/);
}

async function driveProgress({call}, addFiles) {
  addFiles(300);
  const told = [];
  await call('index_status', {refresh: true}, {onprogress: each => told.push(each)});
  assert.ok(told.length > 0, 'progress is told');
  for (let i = 1; i < told.length; ++i) assert.ok(told[i].progress > told[i - 1].progress, 'progress grows');
}

async function driveCancellation({client, call}, addFiles) {
  addFiles(2000);
  const controller = new AbortController();
  const running = call('index_status', {refresh: true}, {signal: controller.signal, onprogress: () => controller.abort()});
  await assert.rejects(running);
  const {tools} = await client.listTools();
  assert.equal(tools.length, TOOLS.length, 'the server answers after a cancellation');
}

// `addFiles(count)` puts new files into the workspace, so that there is something to index.
export async function drive(client, generation, {workspace, addFiles}) {
  const peer = wrap(client, generation);
  const made = await driveTools(peer, workspace);
  await driveMistakes(peer);
  await driveContent(peer, made);
  await driveProgress(peer, addFiles);
  await driveCancellation(peer, addFiles);
}
