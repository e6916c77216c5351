// Random calls over REST and MCP with random budgets: the bytes of no reply count more o200k tokens than max_tokens.
// The count is that of the tiktoken package.
//   node http_random_calls.mjs SOURCE_DIR PROGRAM NODE_MODULES [CALLS] [SEED]
import assert from 'node:assert/strict';
import {createRequire} from 'node:module';
import {HttpServer} from './http_server.mjs';
import {makeWorkspace} from './mcp_workspace.mjs';

const [sourceDir, program, npm, calls = '1000', seed = '11'] = process.argv.slice(2);
const {get_encoding} = createRequire(npm + '/any.js')('tiktoken');
const encoding = get_encoding('o200k_base');

// A linear congruence of 32 bits: the same calls on every machine.
let state = BigInt(seed);
const below = n => {
  state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  return Number((state >> 33n) % BigInt(n));
};
const pick = list => list[below(list.length)];
const text = () => Array.from({length: 1 + below(9)}, () =>
    pick(['import', 'parcel', 'offset', '"quoted"', '\\', 'carriers.py', 'Груз', '包裹', 'resume', 'crash\n'])).join(' ');

const ROUTES = {
  '/v1/pack': ['pack', () => ({task: text()})],
  '/v1/recall': ['recall', () => ({prompt: text()})],
  '/v1/search': ['search', () => ({query: `import ${pick(['offset', 'batch', 'parcel'])}`, limit: 1 + below(100)})],
  '/v1/retrieve': ['retrieve_code', () => ({task: text()})],
};

const server = await HttpServer.start(program, makeWorkspace(sourceDir, 30));

async function overRest(route, args) {
  const {status, text: bytes} = await server.ask(route, args);
  return {bytes, refused: status !== 200 && JSON.parse(bytes).error};
}

async function overMcp(name, args) {
  const params = {name, arguments: args, _meta: {'io.modelcontextprotocol/protocolVersion': '2026-07-28',
                                                 'io.modelcontextprotocol/clientCapabilities': {}}};
  const {status, text: answer} = await server.ask('/mcp', {jsonrpc: '2.0', id: 1, method: 'tools/call', params},
      {'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name, accept: 'application/json'});
  assert.equal(status, 200, answer);
  const start = answer.indexOf('"result":') + '"result":'.length;
  const bytes = answer.slice(start, -1);
  const result = JSON.parse(bytes);
  return {bytes, refused: result.isError && {code: 'arguments', message: result.content[0].text}};
}

let fullest = 0, refusals = 0;
async function one(i) {
  const route = pick(Object.keys(ROUTES));
  const [tool, make] = ROUTES[route];
  const args = {...make(), max_tokens: 300 + below(pick([100, 2000, 30000]))};
  const rest = below(2) === 0;
  const {bytes, refused} = rest ? await overRest(route, args) : await overMcp(tool, args);
  const tokens = encoding.encode_ordinary(bytes).length;
  const what = `call ${i}, ${rest ? route : tool} ${JSON.stringify(args)}: ${tokens} tokens`;
  assert.ok(tokens <= args.max_tokens, what);
  if (refused) {
    ++refusals;
    // The frame of a reply alone may need more than the smallest budgets; nothing else is refused.
    assert.match(refused.message, /too small/, what);
  } else {
    fullest = Math.max(fullest, tokens / args.max_tokens);
  }
}
// Several at once, as clients are.
let next = 0;
await Promise.all(Array.from({length: 4}, async () => {
  while (next < Number(calls)) await one(next++);
}));
await server.stop();
assert.ok(refusals < Number(calls) / 4, `${refusals} refusals`);
assert.ok(fullest > 0.9, `budgets are used: ${fullest}`);
console.log(`${calls} calls, none over; ${refusals} refused as too small; the fullest took ${(100 * fullest).toFixed(1)} %`);
