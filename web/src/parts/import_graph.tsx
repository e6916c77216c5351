// A file between those that import it and those that it imports.
import {linkHorizontal} from 'd3-shape';
import type {Near} from '../api';
import {link} from '../router';
import {fileName} from '../words';

const ROW = 24, WIDTH = 460, MIDDLE = 100, SIDE = (WIDTH - MIDDLE) / 2 - 26, MOST = 12;
const curve = linkHorizontal<unknown, {source: [number, number]; target: [number, number]}, [number, number]>()
    .source(each => each.source).target(each => each.target);

function Column({files, x, align}: {files: Near[]; x: number; align: 'start' | 'end'}) {
  return <>{files.slice(0, MOST).map((file, index) => <a key={file.path} href={link('code', 'file', file.path)}>
    <title>{file.path}</title>
    <rect x={align === 'end' ? x - SIDE : x} y={index * ROW + 2} width={SIDE} height={ROW - 5} rx="4" class="file-box"/>
    <text x={align === 'end' ? x - SIDE + 8 : x + 8} y={index * ROW + 16}>{shortened(fileName(file.path))}</text>
  </a>)}
  {files.length > MOST && <text class="more" x={align === 'end' ? x - SIDE + 8 : x + 8} y={MOST * ROW + 16}>and {files.length - MOST} more</text>}</>;
}

function shortened(name: string): string { return name.length > 21 ? `${name.slice(0, 12)}…${name.slice(-8)}` : name; }

export function ImportGraph({path, imports, importers}: {path: string; imports: Near[]; importers: Near[]}) {
  if (imports.length + importers.length === 0) return <p class="hint">Nothing imports it, and it imports nothing of this repository.</p>;
  const rows = Math.max(1, Math.min(imports.length, MOST + 1), Math.min(importers.length, MOST + 1));
  const height = rows * ROW + 4, middle = height / 2;
  const left = (WIDTH - MIDDLE) / 2, right = (WIDTH + MIDDLE) / 2;
  const middleOf = (index: number) => index * ROW + ROW / 2;
  return <svg class="import-graph" viewBox={`0 0 ${WIDTH} ${height}`} role="group" aria-label={`${importers.length} files import it, it imports ${imports.length}`}>
    {importers.slice(0, MOST).map((file, index) => <path key={file.path} class="edge" d={curve({source: [SIDE, middleOf(index)], target: [left, middle]}) ?? ''} opacity={0.3 + 0.7 * file.confidence}/>)}
    {imports.slice(0, MOST).map((file, index) => <path key={file.path} class="edge" d={curve({source: [right, middle], target: [WIDTH - SIDE, middleOf(index)]}) ?? ''} opacity={0.3 + 0.7 * file.confidence}/>)}
    <rect class="own-box" x={left} y={middle - 12} width={MIDDLE} height={24} rx="5"/>
    <text class="own" x={WIDTH / 2} y={middle + 4} text-anchor="middle">{fileName(path).length > 12 ? `${fileName(path).slice(0, 10)}…` : fileName(path)}</text>
    <Column files={importers} x={SIDE} align="end"/>
    <Column files={imports} x={WIDTH - SIDE} align="start"/>
  </svg>;
}
