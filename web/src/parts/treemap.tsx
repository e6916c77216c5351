// Where the tokens went: source, file, part. One stop of the tab key; arrows go from part to part.
import {hierarchy, treemap, treemapSquarify} from 'd3-hierarchy';
import {useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import type {Part, Source} from '../api';
import {fileName, grouped, shortName, tokens} from '../words';

interface Node { name: string; source: Source | 'frame'; value?: number; part?: Part; children?: Node[] }

// The order of sources is always the same, so that the eye finds them again.
const ORDER: (Source | 'frame')[] = ['code', 'notes', 'memory', 'graph', 'frame'];
const LINE = 15;  // the height of a line in a cell, as parts.css has it
export const SOURCE_NAMES: Record<Source | 'frame', string> =
    {code: 'Code', notes: 'Notes', memory: 'Memory', graph: 'Graph', frame: 'Headings and rules'};

export function placeOf(part: Part): string { return part.file || part.section; }

function treeOf(parts: Part[], used: number): Node {
  const sources = new Map<Source, Map<string, Node>>();
  let sum = 0;
  for (const part of parts) {
    if (!part.form || part.tokens === 0) continue;
    sum += part.tokens;
    const files = sources.get(part.source) ?? new Map<string, Node>();
    sources.set(part.source, files);
    const file = files.get(placeOf(part)) ?? {name: placeOf(part), source: part.source, children: []};
    files.set(placeOf(part), file);
    file.children!.push({name: part.title, source: part.source, value: part.tokens, part});
  }
  const children: Node[] = [...sources].map(([source, files]) => ({name: SOURCE_NAMES[source], source, children: [...files.values()]}));
  if (used > sum) children.push({name: SOURCE_NAMES.frame, source: 'frame', children: [{name: '', source: 'frame', value: used - sum}]});
  children.sort((a, b) => ORDER.indexOf(a.source) - ORDER.indexOf(b.source));
  return {name: '', source: 'frame', children};
}

export function cellOf(within: ParentNode, part: string): HTMLElement | null {
  return within.querySelector<HTMLElement>(`[data-part="${CSS.escape(part)}"]`);
}

export function Treemap({parts, used, chosen, choose}: {parts: Part[]; used: number; chosen: string; choose: (part: Part) => void}) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({width: 600, height: 320});
  const [focus, setFocus] = useState('');
  useLayoutEffect(() => {
    const element = box.current!;
    const look = () => setSize({width: element.clientWidth, height: element.clientHeight});
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const root = useMemo(() => {
    const tree = hierarchy<Node>(treeOf(parts, used)).sum(node => node.value ?? 0);
    return treemap<Node>().tile(treemapSquarify.ratio(1.3)).size([size.width, size.height])
        .paddingInner(2).paddingTop(node => node.depth === 1 ? 20 : node.depth === 2 && node.data.source === 'code' ? 17 : 0).round(true)(tree);
  }, [parts, used, size.width, size.height]);

  const leaves = root.leaves().filter(leaf => leaf.data.part);
  const stop = leaves.some(leaf => leaf.data.part!.id === focus) ? focus : leaves[0]?.data.part!.id ?? '';
  const onKeyDown = (event: KeyboardEvent) => {
    const at = leaves.findIndex(leaf => leaf.data.part!.id === stop);
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    if (step === undefined || at < 0) return;
    event.preventDefault();
    const next = leaves[(at + step + leaves.length) % leaves.length]!.data.part!.id;
    setFocus(next);
    cellOf(box.current!, next)?.focus();
  };
  return <div ref={box} class="treemap" role="group" aria-label="Tokens by source, file and part" onKeyDown={onKeyDown}>
    {root.descendants().map(node => {
      const width = node.x1 - node.x0, height = node.y1 - node.y0;
      if (node.depth === 0 || width < 1 || height < 1) return null;
      const place = {left: `${node.x0}px`, top: `${node.y0}px`, width: `${width}px`, height: `${height}px`};
      const part = node.data.part;
      if (part) {
        const lines = width > 44 ? Math.floor((height - 4) / LINE) : 0;  // that fit into the cell
        const what = `${node.data.name} ${tokens(part.tokens)}, ${part.form}`;
        return <button type="button" key={part.id} data-part={part.id} class={`cell ${part.source} form-${part.form} ${lines === 0 ? 'bare' : ''} ${part.id === chosen ? 'chosen' : ''}`} style={place}
          tabIndex={part.id === stop ? 0 : -1} aria-label={`${what}, ${placeOf(part)}`} title={`${placeOf(part)}\n${what}`}
          onClick={() => choose(part)} onFocus={() => setFocus(part.id)}>
          {lines > 0 && <span class={lines === 1 || lines === 2 ? 'cell-name one' : 'cell-name'}>{part.source === 'code' && width < 160 ? shortName(node.data.name, part.file) : node.data.name}</span>}{' '}
          {lines > 1 && <span class="cell-tokens">{grouped(part.tokens)}</span>}
        </button>;
      }
      if (!node.children) return <div key="frame" class="cell frame" style={place} title={`Headings, rules and lists that belong to no part: ${tokens(node.value ?? 0)}`}/>;
      const name = node.depth === 1 ? node.data.name : fileName(node.data.name);
      if (node.depth === 2 && node.data.source !== 'code') return null;
      return <div key={`${node.depth}${node.data.source}${node.data.name}`} class={`group depth-${node.depth} ${node.data.source}`} style={place} title={node.depth === 2 ? node.data.name : ''}>
        {width > 52 && height > 14 && <span class="group-name"><span>{name}</span>{width > 110 && <b>{grouped(node.value ?? 0)}</b>}</span>}
      </div>;
    })}
  </div>;
}
