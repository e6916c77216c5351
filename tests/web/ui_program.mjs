// `knapsack ui` as a process of its own: the address that it prints, and the one that it opens.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export class UiProgram {
  // Resolves when it has printed its address. Its state and its `xdg-open` are the test's own.
  static async start(program, workspace, args = [], environment = {}) {
    const ui = new UiProgram();
    ui.state = fs.mkdtempSync(path.join(workspace, '..', 'knapsack-state-'));
    process.on('exit', () => fs.rmSync(ui.state, {recursive: true, force: true}));
    ui.process = spawn(program, ['ui', ...args], {cwd: workspace, stdio: ['ignore', 'pipe', 'pipe'],
      env: {...process.env, XDG_STATE_HOME: ui.state, KNAPSACK_TOKEN: '', DISPLAY: '', WAYLAND_DISPLAY: '', ...environment}});
    process.on('exit', () => ui.process.kill('SIGKILL'));
    ui.said = '';
    ui.process.stderr.on('data', bytes => { ui.said += bytes; });
    ui.address = await new Promise((resolve, reject) => {
      let printed = '';
      ui.process.on('exit', () => reject(new Error(`it ended: ${ui.said}`)));
      ui.process.stdout.on('data', bytes => {
        printed += bytes;
        if (printed.includes('\n')) resolve(printed.trim());
      });
    });
    ui.process.removeAllListeners('exit');
    ui.url = new URL(ui.address).origin;
    return ui;
  }

  get token() { return fs.readFileSync(path.join(this.state, 'knapsack/token'), 'utf8').trim(); }

  async stop() {
    const ended = new Promise(resolve => this.process.on('exit', (code, signal) => resolve({code, signal})));
    this.process.kill('SIGTERM');
    assert.deepEqual(await ended, {code: 0, signal: null});
  }
}
