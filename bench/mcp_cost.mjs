// What the MCP server costs a client in tokens: the list of tools, which a model reads at every start, and how much of
// `max_tokens` is packet and not frame. o200k by the tiktoken package; the result as it is serialised.
//   node bench/mcp_cost.mjs SOURCE_DIR NODE_MODULES PROGRAM [OLDER_PROGRAM …]
import {createRequire} from 'node:module';
import path from 'node:path';
import {LineClient} from '../tests/serve/mcp_line_client.mjs';
import {makeWorkspace} from '../tests/serve/mcp_workspace.mjs';

const [sourceDir, npm, ...programs] = process.argv.slice(2).map(name => path.resolve(name));
const encoding = createRequire(npm + '/any.js')('tiktoken').get_encoding('o200k_base');
const tokens = value => encoding.encode(typeof value === 'string' ? value : JSON.stringify(value)).length;

console.log('| program | tools | tools/list | max_tokens | result | packet in it |\n|---|---:|---:|---:|---:|---:|');
for (const program of programs) {
  const server = new LineClient(program, makeWorkspace(sourceDir, 40));
  await server.initialize();
  const {tools} = (await server.request('tools/list', {})).result;
  const name = tools.some(tool => tool.name === 'pack') ? 'pack' : 'pack_context';
  for (const budget of [1500, 4000]) {
    const {result} = await server.request('tools/call', {
      name, arguments: {task: 'resume the import after a crash', max_tokens: budget}});
    const text = result.structuredContent?.text ?? result.content[0].text;
    console.log(`| ${program.split('/').at(-1)} | ${tools.length} | ${tokens(tools)} | ${budget} | ${tokens(result)} | ${tokens(text)} |`);
  }
  await server.end?.();
}
process.exit(0);
