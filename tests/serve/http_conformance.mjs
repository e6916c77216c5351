// Every server scenario of the public conformance suite: those that apply must pass, and each of the others stands in
// a table with the reason why it does not. A scenario that is in neither is a failure.
//   node http_conformance.mjs SOURCE_DIR PROGRAM NODE_MODULES
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import path from 'node:path';
import {HttpServer} from './http_server.mjs';
import {makeWorkspace} from './mcp_workspace.mjs';

const [sourceDir, program, npm] = process.argv.slice(2);
// The suite needs a newer Node than others do; it is among the pinned packages.
const node = path.join(npm, '.bin/node');
const suite = path.join(npm, '@modelcontextprotocol/conformance/dist/index.js');

const APPLIES = [
  'server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

const ITS_OWN_TOOL = 'calls a tool that only the suite\'s own example server has';
const ITS_OWN_RESOURCE = 'reads a resource that only the suite\'s own example server has';
const ITS_OWN_PROMPT = 'gets a prompt that only the suite\'s own example server has';
const NOT_DECLARED = 'needs a capability that we do not declare';
const DOES_NOT_APPLY = {
  'logging-set-level': NOT_DECLARED,
  'completion-complete': NOT_DECLARED,
  'resources-subscribe': NOT_DECLARED,
  'resources-unsubscribe': NOT_DECLARED,
  'tools-call-simple-text': ITS_OWN_TOOL,
  'tools-call-image': ITS_OWN_TOOL,
  'tools-call-audio': ITS_OWN_TOOL,
  'tools-call-embedded-resource': ITS_OWN_TOOL,
  'tools-call-mixed-content': ITS_OWN_TOOL,
  'tools-call-with-logging': ITS_OWN_TOOL,
  'tools-call-error': ITS_OWN_TOOL,
  'tools-call-with-progress': ITS_OWN_TOOL,
  'tools-call-sampling': ITS_OWN_TOOL,
  'tools-call-elicitation': ITS_OWN_TOOL,
  'json-schema-2020-12': ITS_OWN_TOOL,
  'elicitation-sep1034-defaults': ITS_OWN_TOOL,
  'elicitation-sep1330-enums': ITS_OWN_TOOL,
  'server-sse-polling': ITS_OWN_TOOL,
  'resources-read-text': ITS_OWN_RESOURCE,
  'resources-read-binary': ITS_OWN_RESOURCE,
  'resources-templates-read': ITS_OWN_RESOURCE,
  'prompts-get-simple': ITS_OWN_PROMPT,
  'prompts-get-with-args': ITS_OWN_PROMPT,
  'prompts-get-embedded-resource': ITS_OWN_PROMPT,
  'prompts-get-with-image': ITS_OWN_PROMPT,
};

function runSuite(...args) {
  const done = spawnSync(node, [suite, ...args], {encoding: 'utf8', timeout: 120_000});
  return {code: done.status, text: done.stdout + done.stderr};
}

const listed = [...runSuite('list', '--server').text.matchAll(/^ {2}- (\S+)/gm)].map(match => match[1]);
assert.ok(listed.length >= 30, `the suite lists its scenarios: ${listed}`);
for (const name of [...APPLIES, ...Object.keys(DOES_NOT_APPLY)]) assert.ok(listed.includes(name), `${name} is no scenario`);

const server = await HttpServer.start(program, makeWorkspace(sourceDir));
const wrong = [];
for (const name of listed) {
  if (DOES_NOT_APPLY[name]) {
    console.log(`not for us  ${name}: ${DOES_NOT_APPLY[name]}`);
  } else if (!APPLIES.includes(name)) {
    wrong.push(`${name} is in neither table`);
  } else {
    const {code, text} = runSuite('server', '--url', `${server.url}/mcp`, '--scenario', name);
    console.log(`${code === 0 ? 'passed    ' : 'FAILED    '}  ${name}`);
    if (code !== 0) wrong.push(`${name}:\n${text}`);
  }
}
await server.stop();
assert.deepEqual(wrong, []);
