// Looks at everything that a server sends to an official client, before the client does, and holds it against the
// schemas of its revision that these packages bring along.
import assert from 'node:assert/strict';
import {createRequire} from 'node:module';

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

// `check(name, value)` looks at one result or notification. Returns the counts of what came.
export function watch(transport, check) {
  const asked = new Map();
  const seen = {results: 0, errors: 0, notifications: 0};
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (message.id !== undefined && message.method) asked.set(message.id, message.method);
    return send(message, options);
  };
  const look = message => {
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
  };
  // A client may put another handler in place at any time.
  let handle = transport.onmessage;
  Object.defineProperty(transport, 'onmessage', {
    get: () => handle && ((message, extra) => {
           look(message);
           return handle(message, extra);
         }),
    set: next => handle = next,
  });
  return seen;
}

// The checks of both generations, from the packages in `npm`.
export function makeChecks(npm) {
  const require = createRequire(npm + '/any.js');
  const types = require('@modelcontextprotocol/sdk/types.js');
  const {specTypeSchemas} = require('@modelcontextprotocol/client');
  return {
    checkOld(name, value) {
      const verdict = types[`${name}Schema`].safeParse(value);
      assert.ok(verdict.success, `${name}: ${verdict.error}`);
    },
    checkNew(name, value) {
      const schema = specTypeSchemas[name];
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
    },
  };
}
