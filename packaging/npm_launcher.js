#!/usr/bin/env node
// Runs the program that npm installed for this processor, as if it had been called itself: same input and output, same
// signals, same exit code.
'use strict';
const { spawn } = require('node:child_process');
const path = require('node:path');

const name = `knapsack-context-${process.platform}-${process.arch}`;
let program;
try {
  program = path.join(path.dirname(require.resolve(`${name}/package.json`)), 'bin', 'knapsack');
} catch {
  console.error(`knapsack: the package ${name} is not installed; install it beside knapsack-context ` +
    '(Linux on x64 and arm64 is supported, and npm leaves it out with --omit=optional)');
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on('error', (problem) => {
  console.error(`knapsack: cannot run ${program}: ${problem.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  for (const each of signals) process.removeAllListeners(each);
  process.kill(process.pid, signal);
});
