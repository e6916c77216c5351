// What no honest client sends over stdio: each row is answered as JSON-RPC and MCP demand, or with silence where they
// demand that, and the server answers a ping afterwards, within bounded memory.
//   node mcp_hostile_stdio.mjs SOURCE_DIR PROGRAM
import assert from 'node:assert/strict';
import {LineClient, MODERN} from './mcp_line_client.mjs';
import {makeWorkspace} from './mcp_workspace.mjs';

const [sourceDir, program] = process.argv.slice(2);
const workspace = makeWorkspace(sourceDir);
const MEGABYTE = 1 << 20;
// The messages under way with what is made of them; far below what is thrown at it.
const PEAK = 256 * MEGABYTE;

const request = (method, params, id = 1) => JSON.stringify({jsonrpc: '2.0', id, method, params});
const call = (name, args, id = 1) => request('tools/call', {name, arguments: args}, id);
const modern = (method, params = {}, meta = {}) => request(method, {...params, _meta: {...MODERN, ...meta}});
const error = (code, id) => answer => {
  assert.equal(answer.error?.code, code, JSON.stringify(answer).slice(0, 300));
  assert.deepEqual(answer.id, id);
  assert.equal(answer.result, undefined);
};
const isError = pattern => answer => {
  assert.equal(answer.result?.isError, true, JSON.stringify(answer).slice(0, 300));
  assert.match(answer.result.content[0].text, pattern);
};
const ok = answer => assert.ok(answer.result, JSON.stringify(answer).slice(0, 300));
const SILENCE = null;

const PARSE = -32700, INVALID = -32600, UNKNOWN = -32601, PARAMS = -32602, VERSION = -32022;

// What is sent (a line feed is added), and what must come back. All in a session of 2025-11-25.
const ROWS = [
  ['not JSON', 'hello', error(PARSE, null)],
  ['cut off', '{"jsonrpc":"2.0","id":1,"method":"ping"', error(PARSE, null)],
  ['two values in a line', '{} {}', error(PARSE, null)],
  ['single quotes', "{'jsonrpc':'2.0'}", error(PARSE, null)],
  ['a comment', '/* x */ {"jsonrpc":"2.0","id":1,"method":"ping"}', error(PARSE, null)],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), error(PARSE, null)],
  ['a raw NUL', '{"jsonrpc":"2.0","id":1,"method":"pi\0ng"}', error(PARSE, null)],
  ['a lone surrogate', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\\ud800"}}', error(PARSE, null)],
  ['a number beyond all floats', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":1e999}}', error(PARSE, null)],
  ['a scalar', '42', error(INVALID, null)],
  ['null', 'null', error(INVALID, null)],
  ['an empty object', '{}', error(INVALID, null)],
  ['no jsonrpc', '{"id":7,"method":"ping"}', error(INVALID, 7)],
  ['another jsonrpc', '{"jsonrpc":"1.0","id":7,"method":"ping"}', error(INVALID, 7)],
  ['a method that is no text', '{"jsonrpc":"2.0","id":7,"method":5}', error(INVALID, 7)],
  ['neither method nor result', '{"jsonrpc":"2.0","id":7}', error(INVALID, 7)],
  ['id null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', error(INVALID, null)],
  ['id an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', error(INVALID, null)],
  ['id a list', '{"jsonrpc":"2.0","id":[1],"method":"ping"}', error(INVALID, null)],
  ['id a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', error(INVALID, null)],
  ['id a truth value', '{"jsonrpc":"2.0","id":true,"method":"ping"}', error(INVALID, null)],
  ['id beyond 64 bits', '{"jsonrpc":"2.0","id":18446744073709551616,"method":"ping"}', error(INVALID, null)],
  ['id a text', '{"jsonrpc":"2.0","id":"ä\\u0000","method":"ping"}', answer => {
    assert.equal(answer.id, 'ä\0');
    ok(answer);
  }],
  ['id the smallest number', '{"jsonrpc":"2.0","id":-9223372036854775808,"method":"ping"}', ok],
  ['params a list', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', error(PARAMS, 1)],
  ['params a text', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":"x"}', error(PARAMS, 1)],
  ['unknown fields', '{"jsonrpc":"2.0","id":1,"method":"ping","more":{"a":[1]}}', ok],
  ['an unknown method', request('no/such', {}), error(UNKNOWN, 1)],
  ['a method with line breaks', request('a\nb\u001b[31m', {}), error(UNKNOWN, 1)],
  ['a method of the other era', request('server/discover', {}), error(UNKNOWN, 1)],
  ['an empty batch', '[]', error(INVALID, null)],
  ['a batch where there are none', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', error(INVALID, null)],
  ['10,000 levels', '['.repeat(10000) + ']'.repeat(10000), error(INVALID, null)],
  ['10,000 levels that are not closed', '{"a":'.repeat(10000), error(INVALID, null)],
  ['65 levels in a request', request('ping', JSON.parse('{"a":'.repeat(64) + '1' + '}'.repeat(64))), error(INVALID, null)],
  ['a tool without a name', request('tools/call', {}), error(PARAMS, 1)],
  ['a tool whose name is a number', request('tools/call', {name: 5}), error(PARAMS, 1)],
  ['an unknown tool', call('rm', {}), error(PARAMS, 1)],
  ['arguments a list', call('search', ['x']), error(PARAMS, 1)],
  ['arguments null', call('search', null), error(PARAMS, 1)],
  ['an argument of the wrong type', call('search', {query: {}}), isError(/query: must be of type string/)],
  ['a negative limit', call('search', {query: 'x', limit: -1}), isError(/limit: is -1/)],
  ['a huge limit', call('search', {query: 'x', limit: 1e300}), isError(/limit: is 1e\+300/)],
  ['a fraction', call('search', {query: 'x', limit: 2.5}), isError(/limit: must be of type integer/)],
  ['__proto__', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"x","__proto__":1}}}',
    isError(/no argument '__proto__'/)],
  ['a path that leads out', call('read', {what: '../../../etc/passwd'}), isError(/no file/)],
  ['a memory that leads out', call('forget', {id: '../../knapsack.toml', purge: true}), isError(/./)],
  ['a cursor that nobody gave', request('tools/list', {cursor: 'x'}), error(PARAMS, 1)],
  ['a resource without a name', request('resources/read', {}), error(PARAMS, 1)],
  ['a resource that leads out', request('resources/read', {uri: 'knapsack://notes/../../etc/passwd'}), error(PARAMS, 1)],
  ['a resource that leads out, escaped', request('resources/read', {uri: 'knapsack://notes/%2e%2e/knapsack.toml'}), error(PARAMS, 1)],
  ['a run that is a query', request('resources/read', {uri: "knapsack://run/' OR 1=1 --"}), error(PARAMS, 1)],
  ['an unknown prompt', request('prompts/get', {name: 'x'}), error(PARAMS, 1)],
  ['a prompt whose argument is no text', request('prompts/get', {name: 'start_task', arguments: {task: 5}}), error(PARAMS, 1)],
  ['initialize without a version', request('initialize', {capabilities: {}}), error(PARAMS, 1)],
  ['the wrong modern version', modern('tools/list', {}, {'io.modelcontextprotocol/protocolVersion': '2099-01-01'}), answer => {
    error(VERSION, 1)(answer);
    assert.equal(answer.error.data.requested, '2099-01-01');
    assert.ok(answer.error.data.supported.includes('2026-07-28'));
  }],
  ['a modern version that is no text', modern('tools/list', {}, {'io.modelcontextprotocol/protocolVersion': 5}), error(PARAMS, 1)],
  ['a modern request without capabilities', request('tools/list', {_meta: {'io.modelcontextprotocol/protocolVersion': '2026-07-28'}}), error(PARAMS, 1)],
  ['a modern request in a session', modern('tools/list'), answer => assert.equal(answer.result.resultType, 'complete')],
  ['_meta that is no object', request('tools/list', {_meta: 5}), ok],
  ['a progress token that is a list', request('tools/call', {name: 'index_status', arguments: {}, _meta: {progressToken: []}}), ok],
  ['a notification with an unknown method', '{"jsonrpc":"2.0","method":"no/such"}', SILENCE],
  ['a notification of a request', '{"jsonrpc":"2.0","method":"tools/list"}', SILENCE],
  ['cancelling what is not there', '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}', SILENCE],
  ['cancelling nothing', '{"jsonrpc":"2.0","method":"notifications/cancelled"}', SILENCE],
  ['a notification with an id', '{"jsonrpc":"2.0","id":3,"method":"notifications/initialized"}', error(UNKNOWN, 3)],
  ['a response to nothing', '{"jsonrpc":"2.0","id":1,"result":{}}', SILENCE],
  ['an error to nothing', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}', SILENCE],
  ['an empty line', '', SILENCE],
  ['blanks', '  \t ', SILENCE],
  ['CRLF', '{"jsonrpc":"2.0","id":1,"method":"ping"}\r', ok],
  ['a text with every control character', call('search', {query: Array.from({length: 32}, (_, i) => String.fromCharCode(i)).join('') + ' import'}), ok],
];

const server = new LineClient(program, workspace);
await server.initialize();
let id = 1;
for (const [name, bytes, expected] of ROWS) {
  try {
    await server.send(Buffer.concat([Buffer.from(bytes), Buffer.from('\n')]));
    if (expected) expected(await server.next());
    const ping = `ping ${id++}`;
    await server.sendJson({jsonrpc: '2.0', id: ping, method: 'ping'});
    const answer = await server.next();
    assert.equal(answer.id, ping, `silence was due, not ${JSON.stringify(answer).slice(0, 200)}`);
  } catch (problem) {
    problem.message = `${name}: ${problem.message}`;
    throw problem;
  }
}

// 100 MB in one line, twice: drained without being held.
for (const start of ['', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"']) {
  await server.send(start);
  const block = Buffer.alloc(MEGABYTE, 'x');
  for (let i = 0; i < 100; ++i) await server.send(block);
  await server.send('\n');
  error(INVALID, null)(await server.next());
  assert.ok((await server.request('ping')).result);
}
// The longest message that is allowed.
const frame = request('ping', {x: ''}).length;
await server.send(request('ping', {x: 'y'.repeat(8 * MEGABYTE - frame)}) + '\n');
ok(await server.next());
await server.send(request('ping', {x: 'y'.repeat(8 * MEGABYTE - frame + 1)}) + '\n');
error(INVALID, null)(await server.next());

// The same id twice while the first is under way: the first is answered, the second refused under no id.
await server.send(call('pack', {task: 'import'}, 'same') + '\n' + call('pack', {task: 'import'}, 'same') + '\n');
const both = [await server.next(), await server.next()];
error(INVALID, null)(both.find(answer => answer.id === null));
ok(both.find(answer => answer.id === 'same'));

// More at once than may wait: each is answered, some with a refusal.
const flood = 400;
for (let i = 0; i < flood; ++i) server.send(call('index_status', {}, `flood ${i}`) + '\n');
const answered = new Set();
while (answered.size < flood) {
  const answer = await server.next();
  assert.ok(answer.result || answer.error.code === -32603, JSON.stringify(answer));
  answered.add(answer.id);
}
// So are large ones: those that would hold too much memory while they wait are refused at once.
const large = 40;
for (let i = 0; i < large; ++i)
  server.send(call('search', {query: 'x', more: 'y'.repeat(7 * MEGABYTE)}, `large ${i}`) + '\n');
for (let i = 0; i < large; ++i) {
  const answer = await server.next();
  assert.ok(answer.result?.isError || answer.error.code === -32603, JSON.stringify(answer).slice(0, 300));
}
const peak = server.peakMemory();
assert.ok(peak < PEAK, `the server held ${Math.round(peak / MEGABYTE)} MB`);
assert.deepEqual(await server.end(), {code: 0, signal: null});

// Before initialize: nothing but a ping and what needs no session.
const early = new LineClient(program, workspace);
error(INVALID, 1_000_000)(await early.request('tools/list', {}));
ok(await early.request('ping'));
ok(await early.request('tools/list', {_meta: MODERN}));
assert.equal((await early.initialize('1999-01-01')).protocolVersion, '2025-11-25');
ok(await early.request('tools/list', {}));
// No line feed at the end of the input: still a message, and what is under way is finished.
await early.send(call('pack', {task: 'import'}, 'slow') + '\n' + request('ping', {}, 'last'));
assert.deepEqual(await early.end(), {code: 0, signal: null});
assert.deepEqual(early.lines.map(answer => answer.id).sort(), ['last', 'slow']);
assert.ok(early.lines.every(answer => answer.result));

// Batches belong to 2025-03-26.
const batches = new LineClient(program, workspace);
assert.equal((await batches.initialize('2025-03-26')).protocolVersion, '2025-03-26');
await batches.send(`[${request('ping', {}, 'a')},{"jsonrpc":"2.0","method":"x"},5,${request('no/such', {}, 'b')}]\n`);
const list = await batches.next();
assert.equal(list.length, 3);
ok(list[0]);
error(INVALID, null)(list[1]);
error(UNKNOWN, 'b')(list[2]);
await batches.send('[{"jsonrpc":"2.0","method":"x"}]\n');
await batches.send(`[${Array(101).fill(request('ping', {})).join(',')}]\n`);
error(INVALID, null)(await batches.next());
assert.deepEqual(await batches.end(), {code: 0, signal: null});

// SIGTERM lets what is under way finish; a reader that went away ends the program quietly.
const told = new LineClient(program, workspace);
await told.initialize();
await told.send(call('pack', {task: 'import'}, 'slow') + '\n');
await told.request('ping');
told.child.kill('SIGTERM');
assert.deepEqual(await told.ended, {code: 0, signal: null});
assert.deepEqual(told.lines.map(answer => answer.id), ['slow']);
const deaf = new LineClient(program, workspace);
await deaf.initialize();
deaf.child.stdout.destroy();
for (let i = 0; i < 50; ++i) deaf.send(call('pack', {task: 'import'}, `late ${i}`) + '\n');
deaf.send(request('ping', {}) + '\n');
assert.deepEqual(await deaf.ended, {code: 0, signal: null});
console.log(`${ROWS.length + 15} hostile rows, peak ${Math.round(peak / MEGABYTE)} MB`);
