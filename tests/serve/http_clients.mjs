// The official clients of both generations drive the program over HTTP through every tool, in both eras.
//   node http_clients.mjs SOURCE_DIR PROGRAM NODE_MODULES
import assert from 'node:assert/strict';
import {createRequire} from 'node:module';
import {HttpServer} from './http_server.mjs';
import {drive} from './mcp_drive.mjs';
import {makeChecks, watch} from './mcp_watch.mjs';
import {addModules, makeWorkspace} from './mcp_workspace.mjs';

const [sourceDir, program, npm] = process.argv.slice(2);
const require = createRequire(npm + '/any.js');
const sdk = {
  ...require('@modelcontextprotocol/sdk/client/index.js'),
  ...require('@modelcontextprotocol/sdk/client/streamableHttp.js'),
};
const modern = require('@modelcontextprotocol/client');
const {checkOld, checkNew} = makeChecks(npm);

async function run(name, makeClient, Transport, generation, check, hasSession) {
  const workspace = makeWorkspace(sourceDir);
  const server = await HttpServer.start(program, workspace);
  let made = 0;
  const transport = new Transport(new URL(server.url + '/mcp'));
  const seen = watch(transport, check);
  const client = makeClient();
  await client.connect(transport);
  assert.equal(transport.sessionId !== undefined, hasSession, name);
  await drive(client, generation,
              {workspace, addFiles: count => addModules(workspace, `generated_${++made}`, count)});
  if (hasSession) await transport.terminateSession();
  await client.close();
  await server.stop();
  assert.ok(seen.results > 30 && seen.errors >= 5 && seen.notifications > 0, JSON.stringify(seen));
  console.log(`${name}: ${seen.results} results, ${seen.errors} errors, ${seen.notifications} notifications`);
}

const info = {name: 'knapsack-tests', version: '1'};
await run('sdk 2025-11-25', () => new sdk.Client(info), sdk.StreamableHTTPClientTransport, 1, checkOld, true);
await run('client 2025-11-25', () => new modern.Client(info), modern.StreamableHTTPClientTransport, 2, checkOld, true);
await run('client 2026-07-28',
          () => new modern.Client(info, {versionNegotiation: {mode: {pin: '2026-07-28'}}}),
          modern.StreamableHTTPClientTransport, 2, checkNew, false);

// One that asks what there is takes the newer way.
const folder = makeWorkspace(sourceDir);
const server = await HttpServer.start(program, folder);
const auto = new modern.Client(info, {versionNegotiation: {mode: 'auto'}});
await auto.connect(new modern.StreamableHTTPClientTransport(new URL(server.url + '/mcp')));
assert.equal(auto.getProtocolEra(), 'modern');
await auto.close();
await server.stop();
