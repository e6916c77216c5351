// `knapsack serve` as a process of its own, for the tests in JavaScript.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';

export class HttpServer {
  // Resolves when it listens.
  static async start(program, workspace, args = []) {
    const server = new HttpServer();
    server.process = spawn(program, ['serve', '--port', '0', ...(args.includes('--token-file') ? [] : ['--no-token']), ...args], {cwd: workspace, stdio: ['ignore', 'ignore', 'pipe']});
    let said = '';
    server.url = await new Promise((resolve, reject) => {
      server.process.on('exit', () => reject(new Error(`the server ended: ${said}`)));
      server.process.stderr.on('data', bytes => {
        said += bytes;
        const found = /listening on (http:\/\/\S+) /.exec(said);
        if (found) resolve(found[1]);
      });
    });
    server.process.removeAllListeners('exit');
    process.on('exit', () => server.process.kill('SIGKILL'));
    return server;
  }

  // The bytes of a reply with its status; a POST where there is a body.
  async ask(path, body, headers = {}) {
    const init = body === undefined ? {headers}
                                    : {method: 'POST', headers: {'content-type': 'application/json', ...headers}, body: JSON.stringify(body)};
    const response = await fetch(this.url + path, init);
    return {status: response.status, headers: response.headers, text: await response.text()};
  }

  // In an orderly way.
  async stop() {
    const ended = new Promise(resolve => this.process.on('exit', (code, signal) => resolve({code, signal})));
    this.process.kill('SIGTERM');
    assert.deepEqual(await ended, {code: 0, signal: null});
  }
}
