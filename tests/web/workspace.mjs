// The example workspace as somebody has used it for a while: with a history, runs, hostile memories and a report.
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {makeWorkspace} from '../serve/mcp_workspace.mjs';

export const HOSTILE = '<script>window.ran = 1</script><img src=x onerror="window.ran = 2"> <b onclick="window.ran = 3">bold</b> [link](javascript:window.ran=4)';

function git(folder, day, ...args) {
  const date = `2026-10-${String(day).padStart(2, '0')}T10:00:00Z`;
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false', ...args],
               {cwd: folder, env: {...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_CONFIG_GLOBAL: '/dev/null'}, stdio: 'pipe'});
}

// A few commits that change functions of the example, so that an evaluation has tasks.
function addHistory(folder) {
  git(folder, 1, 'init', '-q', '-b', 'main');
  git(folder, 1, 'add', '-A');
  git(folder, 1, 'commit', '-q', '-m', 'Import manifests of carriers');
  const changes = [
    ['src/parcels/carriers.py', 'Know which carrier a parcel belongs to by the first letters of its id'],
    ['src/parcels/batches.py', 'Store the offset with the batch in one transaction'],
    ['src/parcels/importer.py', 'Reject a row without a weight when a manifest is parsed'],
    ['src/parcels/importer.py', 'Commit the last batch of an import when the manifest ends'],
  ];
  changes.forEach(([file, subject], index) => {
    const at = path.join(folder, file);
    const lines = fs.readFileSync(at, 'utf8').split('\n');
    const line = lines.findIndex((text, number) => /^ {4}return /.test(text) && number > index);
    lines.splice(line, 0, `    # step ${index + 1}: ${subject.toLowerCase()}`);
    fs.writeFileSync(at, lines.join('\n'));
    git(folder, index + 2, 'commit', '-q', '-am', subject);
  });
}

export function usedWorkspace(sourceDir, program) {
  const folder = makeWorkspace(sourceDir);
  const run = (...args) => execFileSync(program, args, {cwd: folder, stdio: 'pipe', encoding: 'utf8'});
  addHistory(folder);
  run('pack', 'resume an import after a crash', '--budget', '1200', '--now', '2026-11-15T08:00:00Z');
  run('pack', 'resume an import after a crash', '--budget', '600', '--now', '2026-11-15T08:10:00Z');
  run('agent', '--budget', '900', '--now', '2026-11-15T09:00:00Z');
  run('recall', 'what do we know about crashes of the import?', '--now', '2026-11-15T09:10:00Z');
  run('search', 'carrier', '--now', '2026-11-15T09:20:00Z');
  run('remember', HOSTILE, '--tags', '<i>tag</i>', '--now', '2026-11-15T09:30:00Z');
  run('eval', '--from-git', '4', '--k', '1,5', '--budgets', '500,1000,2000', '--work', path.join(folder, '.knapsack', 'eval-work'));
  return {folder, run};
}
