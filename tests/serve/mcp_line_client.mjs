// A client that sends any bytes and reads lines: for what no honest client would say.
import {spawn} from 'node:child_process';
import fs from 'node:fs';

export class LineClient {
  constructor(program, workspace, args = []) {
    this.child = spawn(program, ['mcp', ...args], {cwd: workspace, stdio: ['pipe', 'pipe', 'inherit']});
    this.lines = [];
    this.waiting = [];
    this.held = '';
    this.child.stdin.on('error', () => {});
    this.child.stdout.setEncoding('utf8');
    this.child.stdout.on('data', text => this.take(text));
    this.ended = new Promise(resolve => this.child.on('close', (code, signal) => resolve({code, signal})));
    this.next_id = 1_000_000;
  }

  take(text) {
    this.held += text;
    const parts = this.held.split('\n');
    this.held = parts.pop();
    for (const part of parts) {
      const line = JSON.parse(part);
      Object.defineProperty(line, 'raw', {value: part});  // the bytes themselves, for counting
      const waiter = this.waiting.shift();
      if (waiter) waiter(line);
      else this.lines.push(line);
    }
  }

  // The next line that the server writes; rejects after `milliseconds`.
  next(milliseconds = 60000) {
    if (this.lines.length > 0) return Promise.resolve(this.lines.shift());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer')), milliseconds);
      this.waiting.push(line => {
        clearTimeout(timer);
        resolve(line);
      });
    });
  }

  send(bytes) {
    return new Promise(resolve => this.child.stdin.write(bytes, resolve));
  }

  sendJson(message) {
    return this.send(JSON.stringify(message) + '\n');
  }

  async request(method, params) {
    const id = this.next_id++;
    await this.sendJson({jsonrpc: '2.0', id, method, params});
    let answer;
    do answer = await this.next();
    while (answer.id !== id);
    return answer;
  }

  async initialize(protocolVersion = '2025-11-25') {
    const answer = await this.request('initialize', {protocolVersion, capabilities: {}, clientInfo: {name: 't', version: '1'}});
    await this.sendJson({jsonrpc: '2.0', method: 'notifications/initialized'});
    return answer.result;
  }

  async end() {
    this.child.stdin.end();
    return this.ended;
  }

  // The most memory that the server ever held, in bytes; 0 where the system does not tell.
  peakMemory() {
    const status = `/proc/${this.child.pid}/status`;
    if (!fs.existsSync(status)) return 0;
    return Number(/VmHWM:\s+(\d+) kB/.exec(fs.readFileSync(status, 'utf8'))[1]) * 1024;
  }
}

// What makes a request one of 2026-07-28.
export const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
