// Workspaces for the MCP tests: the example with all four sources, and as much code as a test asks for.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

// Copies examples/workspace; `extra` adds so many generated modules to it. Returns its folder, which is removed when
// the process ends.
export function makeWorkspace(sourceDir, extra = 0) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'knapsack-mcp-')));
  process.on('exit', () => fs.rmSync(folder, {recursive: true, force: true}));
  // Whoever has tried the example has an index and runs in it: they are not part of it.
  fs.cpSync(path.join(sourceDir, 'examples/workspace'), folder,
            {recursive: true, filter: from => path.basename(from) !== '.knapsack'});
  addModules(folder, 'generated', extra);
  return folder;
}

// Python modules that call each other.
export function addModules(folder, name, count) {
  if (count === 0) return;
  const target = path.join(folder, 'src', name);
  fs.mkdirSync(target, {recursive: true});
  for (let i = 0; i < count; ++i) {
    const body = Array.from({length: 20}, (_, k) =>
        `def step_${i}_${k}(row):\n    """Step ${k} of parcel import ${i}."""\n    return row + ${k}\n\n`).join('\n');
    const use = i > 0 ? `from ${name}.module_${i - 1} import step_${i - 1}_0\n\n\n` : '';
    fs.writeFileSync(path.join(target, `module_${i}.py`),
                     `${use}${body}\n\ndef run_${i}(row):\n    return step_${i}_1(step_${i}_0(row))\n`);
  }
}
