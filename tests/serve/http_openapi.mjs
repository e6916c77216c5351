// Holds /openapi.json against the rules of OpenAPI 3.1 that matter, and real replies against what it says of them.
//   node http_openapi.mjs SOURCE_DIR PROGRAM NODE_MODULES
import assert from 'node:assert/strict';
import {createRequire} from 'node:module';
import {HttpServer} from './http_server.mjs';
import {makeWorkspace} from './mcp_workspace.mjs';

const [sourceDir, program, npm] = process.argv.slice(2);
const Ajv = createRequire(npm + '/any.js')('ajv/dist/2020').default;
const server = await HttpServer.start(program, makeWorkspace(sourceDir));
const document = JSON.parse((await server.ask('/openapi.json')).text);

// The document itself.
assert.match(document.openapi, /^3\.1\.\d$/);
assert.ok(document.info.title && document.info.version);
const operations = [];
for (const [path, item] of Object.entries(document.paths)) {
  assert.ok(path.startsWith('/'), path);
  for (const [method, operation] of Object.entries(item)) {
    assert.ok(['get', 'post', 'delete'].includes(method), method);
    operations.push({path, method, ...operation});
    const parameters = (operation.parameters ?? []).filter(each => each.in === 'path').map(each => each.name);
    assert.deepEqual([...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]), parameters, path);
    for (const each of operation.parameters ?? []) assert.ok(each.name && each.schema && (each.in !== 'path' || each.required));
    assert.ok(Object.keys(operation.responses).length > 0, path);
    if (method === 'post') assert.ok(operation.requestBody.content['application/json'].schema, path);
  }
}
assert.equal(new Set(operations.map(each => each.operationId)).size, operations.length, 'each operation has a name of its own');

function resolve(reference) {
  assert.ok(reference.startsWith('#/'), reference);
  return reference.slice(2).split('/').reduce((at, key) => {
    assert.ok(at !== undefined && key in at, `${reference} leads nowhere`);
    return at[key];
  }, document);
}
const used = new Set();
(function follow(at) {
  if (at === null || typeof at !== 'object') return;
  if (typeof at.$ref === 'string') {
    used.add(at.$ref);
    resolve(at.$ref);
  }
  Object.values(at).forEach(follow);
})(document);
for (const kind of ['schemas', 'responses'])
  for (const name of Object.keys(document.components[kind])) assert.ok(used.has(`#/components/${kind}/${name}`), `${name} is used`);

// Every schema is one that a strict validator takes.
const ajv = new Ajv({allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true});
ajv.addSchema({$id: 'api', components: document.components}, 'api');
ajv.addKeyword('components');
const validators = new Map();
function check(schema, value, what) {
  const name = schema.$ref ?? JSON.stringify(schema);
  if (!validators.has(name)) validators.set(name, ajv.compile(schema.$ref ? {$ref: `api${schema.$ref}`} : schema));
  const validate = validators.get(name);
  assert.ok(validate(value), `${what}: ${JSON.stringify(validate.errors)}`);
}
for (const name of Object.keys(document.components.schemas)) ajv.compile({$ref: `api#/components/schemas/${name}`});

// Real replies, good and bad, keep what the document says of them.
function schemaOf(path, method, status) {
  const {responses} = document.paths[path][method];
  const response = responses[status] ?? responses.default;
  return (response.$ref ? resolve(response.$ref) : response).content['application/json'].schema;
}
let held = 0;
async function hold(path, method, body, status, actual = path, headers = {}) {
  const reply = await server.ask(actual, body, headers);
  assert.equal(reply.status, status, `${actual}: ${reply.text}`);
  assert.match(reply.headers.get('content-type'), /^application\/json/);
  check(schemaOf(path, method, status), JSON.parse(reply.text), `${method} ${actual}`);
  if (body && status === 200) check(document.paths[path][method].requestBody.content['application/json'].schema, body, path);
  ++held;
  return JSON.parse(reply.text);
}
await hold('/healthz', 'get', undefined, 200);
await hold('/openapi.json', 'get', undefined, 200);
await hold('/v1/runs', 'get', undefined, 200);
for (const max_tokens of [400, 4000, 40000]) {
  await hold('/v1/pack', 'post', {task: 'resume an interrupted import', max_tokens}, 200);
  await hold('/v1/retrieve', 'post', {task: 'resume an interrupted import', max_tokens}, 200);
  await hold('/v1/search', 'post', {query: 'import', max_tokens}, 200);
  await hold('/v1/recall', 'post', {prompt: 'what is known about imports?', max_tokens}, 200);
}
const {runs} = await hold('/v1/runs', 'get', undefined, 200, '/v1/runs?limit=2');
assert.equal(runs.length, 2);
for (const run of ['latest', runs[0].run, String(runs[1].number)])
  await hold('/v1/runs/{id}', 'get', undefined, 200, `/v1/runs/${run}`);
for (const path of ['/v1/notes', '/v1/workspace', '/v1/evaluations']) await hold(path, 'get', undefined, 200);
for (const [path, body] of [
  ['/v1/explain', {expect: 'importer'}], ['/v1/preview/pack', {task: 'resume an import', budget: 700}], ['/v1/preview/recall', {prompt: 'imports?'}],
  ['/v1/preview/search', {query: 'import'}], ['/v1/runs', {command: 'pack', limit: 3}], ['/v1/runs/output', {run: 'latest'}], ['/v1/memories', {}],
  ['/v1/memory', {id: 'fact-crash-after-restart'}], ['/v1/code/overview', {}], ['/v1/code/file', {path: 'importer.py'}], ['/v1/graph', {}],
  ['/v1/graph/node', {id: 'TG-TASK-RETRY'}], ['/v1/session', {}],
]) await hold(path, 'post', body, 200);
const session = JSON.parse((await server.ask('/v1/session', {})).text);
const page = {authorization: `Bearer ${session.token}`, 'x-knapsack-csrf': session.csrf};
for (const [path, body] of [['/v1/outcome', {useful: true, missing: 'the manual'}], ['/v1/remember', {text: 'A parcel is weighed once'}], ['/v1/feedback', {id: 'fact-crash-after-restart', useful: true}], ['/v1/forget', {id: 'fact-crash-after-restart'}]]) {
  await hold(path, 'post', body, 403);
  await hold(path, 'post', body, 200, path, page);
}
for (const [path, type] of [['/', 'text/html'], ['/app.js', 'text/javascript'], ['/app.css', 'text/css'], ['/icon.svg', 'image/svg+xml']])
  assert.ok((await server.ask(path)).headers.get('content-type').startsWith(type), path);
await hold('/v1/runs/{id}', 'get', undefined, 404, '/v1/runs/run-unknown');
await hold('/v1/runs', 'get', undefined, 400, '/v1/runs?limit=x');
for (const path of ['/v1/pack', '/v1/retrieve', '/v1/search', '/v1/recall']) {
  await hold(path, 'post', {}, 400);
  await hold(path, 'post', {nonsense: 1}, 400);
}
assert.equal((await server.ask('/metrics')).headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
await server.stop();
console.log(`${operations.length} operations, ${used.size} references, ${held} replies held`);
