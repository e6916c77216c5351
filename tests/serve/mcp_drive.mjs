// Drives every tool, the resources and the prompt through an official client that is connected already, whatever
// transport it uses. `wrap` gives clients of both generations one face.
import assert from 'node:assert/strict';

export const TOOLS = [
  'pack_context', 'search', 'recall_memory', 'remember', 'forget', 'memory_feedback', 'note', 'retrieve_code', 'refine_context',
  'get_symbol', 'get_file_outline', 'project_notes', 'graph_pack', 'explain_packet', 'index_status'
];
const WRITING = ['remember', 'forget', 'memory_feedback', 'note'];
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

// A reply that is no error: its text is there twice, and it names the workspace.
function checkReply(name, reply, workspace) {
  assert.ok(!reply.isError, `${name}: ${reply.content?.[0]?.text}`);
  assert.equal(reply.content.length, 1);
  assert.equal(reply.content[0].type, 'text');
  assert.equal(reply.structuredContent.text, reply.content[0].text, name);
  assert.equal(reply.structuredContent.workspace, workspace, name);
  assert.ok(reply.content[0].text.includes(workspace), name);
  return reply.structuredContent;
}

async function driveTools(peer, workspace) {
  const {client, call} = peer;
  const {tools} = await client.listTools();
  assert.deepEqual(tools.map(tool => tool.name).sort(), [...TOOLS].sort());
  for (const tool of tools) {
    assert.ok(tool.title && tool.description, tool.name);
    assert.ok(Buffer.byteLength(tool.description) < 2048, tool.name);
    assert.equal(tool.inputSchema.additionalProperties, false, tool.name);
    assert.equal(tool.outputSchema.additionalProperties, false, tool.name);
    assert.equal(tool.annotations.readOnlyHint, READING.includes(tool.name), tool.name);
    assert.equal(tool.annotations.openWorldHint, false, tool.name);
    if (tool.name === 'forget') assert.equal(tool.annotations.destructiveHint, true);
    if (tool.name === 'remember') assert.equal(tool.annotations.destructiveHint, false);
  }
  const ask = async (name, args, options) => checkReply(name, await call(name, args, options), workspace);

  const task = 'resume an interrupted parcel import';
  const packed = await ask('pack_context', {task});
  assert.match(packed.run, /^run-[0-9a-f]{12}$/);
  assert.equal(packed.status, 'ok');
  assert.match(packed.text, /importer\.py/);
  assert.match(packed.text, /Constitution/);
  const codeOnly = await ask('pack_context', {task, sources: ['code'], max_tokens: 3000});
  assert.doesNotMatch(codeOnly.text, /Constitution/);

  const found = await ask('search', {query: 'import batch', limit: 5});
  assert.ok(found.results.length > 0 && found.results.length <= 5);
  assert.match(found.run, /^run-[0-9a-f]{12}$/);
  assert.ok(found.results.every(row => found.text.includes(row.path || row.id)));

  const recalled = await ask('recall_memory', {prompt: 'what do we know about import offsets?', mode: 'full'});
  assert.match(recalled.text, /offset/);
  const noted = await ask('remember', {text: `Decision: carriers are polled hourly ${Date.now()} ${Math.random()}`,
                                       tags: ['carriers'], importance: 0.9});
  assert.equal(noted.duplicate, false);
  assert.match((await ask('recall_memory', {prompt: 'how often are carriers polled?', mode: 'full'})).text, /hourly/);
  assert.equal((await ask('forget', {id: noted.id})).id, noted.id);
  assert.doesNotMatch((await ask('recall_memory', {prompt: 'how often are carriers polled?', mode: 'full'})).text,
                      /polled hourly/);
  const gone = await ask('forget', {id: noted.id, purge: true});
  assert.ok(gone.purged.length > 0);

  const retrieved = await ask('retrieve_code', {task, max_tokens: 4000});
  assert.match(retrieved.text, /importer\.py/);
  const refined = await ask('refine_context', {
    task_id: retrieved.task_id, reason: 'the carriers were missing', missing_files: ['carriers.py'], max_tokens: 6000});
  assert.match(refined.text, /carriers\.py/);
  assert.equal(refined.task_id, retrieved.task_id);

  const outline = await ask('get_file_outline', {path: 'importer.py'});
  assert.equal(outline.path, 'src/parcels/importer.py');
  assert.ok(outline.symbols.length > 0);
  const symbol = await ask('get_symbol', {name: outline.symbols[0].name});
  assert.equal(symbol.definitions[0].path, outline.path);
  assert.match(symbol.text, /Source of/);
  assert.ok(symbol.callers.length + symbol.tests.length + symbol.callees.length > 0, symbol.text);

  assert.match((await ask('project_notes', {task})).text, /NEVER VIOLATE/);
  assert.match((await ask('graph_pack', {request: task, intent: 'plan'})).text, /TG-|KG-|RG-/);
  const explained = await ask('explain_packet', {run: packed.run});
  assert.equal(explained.run, packed.run);
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
  await wrong('pack_context', {}, /'task' is missing/);
  await wrong('pack_context', {task: 'x', max_token: 500}, /no argument 'max_token'.*did you mean max_tokens/);
  await wrong('pack_context', {task: 'x', max_tokens: 5}, /max_tokens: is 5, at least 300/);
  await wrong('pack_context', {task: 'x', max_tokens: 'many'}, /max_tokens: must be of type integer/);
  await wrong('pack_context', {task: 'x', sources: ['dreams']}, /sources\/0: must be one of/);
  await wrong('pack_context', {task: ' '}, /task is empty/);
  await wrong('recall_memory', {prompt: 'x', as_of: 'yesterday'}, /yesterday/);
  await wrong('remember', {text: 'x', category: 'nonsense'}, /nonsense/);
  await wrong('forget', {id: 'no-such-memory'}, /no-such-memory/);
  await wrong('refine_context', {task_id: 'task-unknown', missing_files: ['a.py']}, /task-unknown/);
  await wrong('get_symbol', {name: 'no_such_symbol_at_all'}, /nothing is called/);
  await wrong('get_file_outline', {path: 'no/such/file.py'}, /no file/);
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
    assert.equal(reply.text.slice(contents[0].text.length).split('\n').length, 2);
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
