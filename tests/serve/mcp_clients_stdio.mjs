// The official clients of both generations drive the program over stdio, and every message that it sends is held
// against the schemas of its revision that these packages bring along.
//   node mcp_clients_stdio.mjs SOURCE_DIR PROGRAM NODE_MODULES
import assert from 'node:assert/strict';
import {createRequire} from 'node:module';
import {drive} from './mcp_drive.mjs';
import {makeChecks, watch} from './mcp_watch.mjs';
import {addModules, makeWorkspace} from './mcp_workspace.mjs';

const [sourceDir, program, npm] = process.argv.slice(2);
const require = createRequire(npm + '/any.js');
const sdk = {
  ...require('@modelcontextprotocol/sdk/client/index.js'),
  ...require('@modelcontextprotocol/sdk/client/stdio.js'),
};
const modern = {...require('@modelcontextprotocol/client'), ...require('@modelcontextprotocol/client/stdio')};

const {checkOld, checkNew} = makeChecks(npm);

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
