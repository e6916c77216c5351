// The official clients of both generations drive the program over stdio, and every message that it sends is held
// against the schemas of its revision that these packages bring along.
//   node mcp_clients_stdio.mjs SOURCE_DIR PROGRAM NODE_MODULES
import assert from 'node:assert/strict';
import {createRequire} from 'node:module';
import {drive} from './mcp_drive.mjs';
import {addModules, makeWorkspace} from './mcp_workspace.mjs';

const [sourceDir, program, npm] = process.argv.slice(2);
const require = createRequire(npm + '/any.js');
const sdk = {
  ...require('@modelcontextprotocol/sdk/client/index.js'),
  ...require('@modelcontextprotocol/sdk/client/stdio.js'),
  types: require('@modelcontextprotocol/sdk/types.js'),
};
const modern = {...require('@modelcontextprotocol/client'), ...require('@modelcontextprotocol/client/stdio')};

const RESULTS = {
  initialize: 'InitializeResult',
  'server/discover': 'DiscoverResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
};

// Looks at everything that comes from the server before the client does.
function watch(transport, check) {
  const asked = new Map();
  const seen = {results: 0, errors: 0, notifications: 0};
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (message.id !== undefined && message.method) asked.set(message.id, message.method);
    return send(message, options);
  };
  const start = transport.start.bind(transport);
  transport.start = () => {
    const handle = transport.onmessage;
    transport.onmessage = (message, extra) => {
      assert.equal(message.jsonrpc, '2.0');
      if (message.method) {
        seen.notifications++;
        assert.equal(message.method, 'notifications/progress');
        check('ProgressNotification', message);
      } else if (message.error) {
        seen.errors++;
        assert.ok(Number.isInteger(message.error.code) && typeof message.error.message === 'string');
        assert.ok(asked.has(message.id), 'an error answers a request');
      } else {
        seen.results++;
        const method = asked.get(message.id);
        assert.ok(method, 'a result answers a request');
        if (RESULTS[method]) check(RESULTS[method], message.result);
      }
      handle(message, extra);
    };
    return start();
  };
  return seen;
}

function checkOld(name, value) {
  const verdict = sdk.types[`${name}Schema`].safeParse(value);
  assert.ok(verdict.success, `${name}: ${verdict.error}`);
}

function checkNew(name, value) {
  const schema = modern.specTypeSchemas[name];
  if (schema) {
    const verdict = schema['~standard'].validate(value);
    assert.equal(verdict.issues, undefined, `${name}: ${JSON.stringify(verdict.issues)}`);
  }
  if (name === 'ProgressNotification') return;
  assert.equal(value.resultType, 'complete', name);
  assert.equal(value._meta['io.modelcontextprotocol/serverInfo'].name, 'knapsack', name);
  if (/^List|^Discover|^ReadResource/.test(name)) {
    assert.ok(Number.isInteger(value.ttlMs) && value.ttlMs >= 0, name);
    assert.ok(['public', 'private'].includes(value.cacheScope), name);
  }
}

async function run(name, makeClient, Transport, generation, check) {
  const workspace = makeWorkspace(sourceDir);
  let made = 0;
  const transport = new Transport({command: program, args: ['mcp'], cwd: workspace, stderr: 'inherit'});
  const seen = watch(transport, check);
  const client = makeClient();
  await client.connect(transport);
  await drive(client, generation,
              {workspace, addFiles: count => addModules(workspace, `generated_${++made}`, count)});
  await client.close();
  assert.ok(seen.results > 30 && seen.errors >= 5 && seen.notifications > 0, JSON.stringify(seen));
  console.log(`${name}: ${seen.results} results, ${seen.errors} errors, ${seen.notifications} notifications`);
}

const info = {name: 'knapsack-tests', version: '1'};
await run('sdk 2025-11-25', () => new sdk.Client(info), sdk.StdioClientTransport, 1, checkOld);
await run('client 2025-11-25', () => new modern.Client(info), modern.StdioClientTransport, 2, checkOld);
await run('client 2026-07-28',
          () => new modern.Client(info, {versionNegotiation: {mode: {pin: '2026-07-28'}}}),
          modern.StdioClientTransport, 2, checkNew);
const auto = new modern.Client(info, {versionNegotiation: {mode: 'auto'}});
const folder = makeWorkspace(sourceDir);
await auto.connect(new modern.StdioClientTransport({command: program, args: ['mcp'], cwd: folder}));
assert.equal(auto.getProtocolEra(), 'modern');
await auto.close();
