// Bundles the page and writes its four files, compressed, into a folder: node build.mjs FOLDER
// The same sources and versions give the same bytes.
import {build} from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

const here = path.dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2];
if (!folder) throw new Error('which folder?');
const LIMIT = 200 * 1024;

const made = await build({
  entryPoints: {app: path.join(here, 'src/main.tsx')},
  outdir: folder,
  absWorkingDir: here,
  bundle: true,
  minify: true,
  write: false,
  format: 'esm',
  target: ['es2022'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
});
const files = new Map(made.outputFiles.map(each => [path.basename(each.path), Buffer.from(each.contents)]));
for (const name of ['index.html', 'icon.svg']) files.set(name, fs.readFileSync(path.join(here, 'src', name)));

let total = 0;
fs.mkdirSync(folder, {recursive: true});
for (const [name, bytes] of files) {
  const compressed = gzipSync(bytes, {level: 9});
  total += compressed.length;
  fs.writeFileSync(path.join(folder, name + '.gz'), compressed);
}
if (total > LIMIT) throw new Error(`the page has ${total} bytes compressed, more than ${LIMIT}`);
