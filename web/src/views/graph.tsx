// Graph and notes: what the project knows, decided and has to do; and the notes with what packets used of them.
import {useMemo, useState} from 'preact/hooks';
import type {GraphMap, GraphNode, NodeDetail} from '../api';
import {useAsk} from '../ask';
import {go, link} from '../router';
import {ForceMap, LAYER_NAMES} from '../parts/force_map';
import {Empty, Shown} from '../parts/states';
import {VirtualList} from '../parts/virtual_list';
import {ago, counted, grouped} from '../words';
import {NotesView} from './notes';

const LAYERS = ['knowledge', 'reasoning', 'task'];

function Revisions({detail}: {detail: NodeDetail}) {
  const [at, setAt] = useState(0);
  const now = detail.revisions[at], before = detail.revisions[at + 1];
  const old = useMemo(() => new Set((before?.json ?? '').split('\n').map(line => line.replace(/,$/, ''))), [before]);
  if (!now) return null;
  return <section>
    <div class="tools"><h3>{counted(detail.revisions.length, 'revision')}</h3>
      {detail.revisions.length > 1 && <select aria-label="Revision" value={at} onChange={event => setAt(Number(event.currentTarget.value))}>
        {detail.revisions.map((each, index) => <option key={index} value={index}>{each.latest ? 'the latest' : `line ${each.line}`}</option>)}
      </select>}</div>
    <pre class="json" tabIndex={0} aria-label="The revision as it is stored">{now.json.split('\n').map((line, index) =>
      <span key={index} class={before && !old.has(line.replace(/,$/, '')) ? 'added' : ''}>{line}{'\n'}</span>)}</pre>
    {before && <p class="hint">Lines that the revision before did not have are marked.</p>}
  </section>;
}

function NodePanel({node, map}: {node: GraphNode; map: GraphMap}) {
  const asked = useAsk<NodeDetail>('/v1/graph/node', {id: node.id});
  const index = map.nodes.indexOf(node);
  const edges = map.edges.filter(edge => edge.from === index || edge.to === index);
  return <>
    <header class="detail-head"><h2>{node.title || node.id}</h2></header>
    <p class="facts-line"><span class={`dot ${node.layer}`}/><code>{node.id}</code> · {node.type}{node.state && <> · <span class="badge">{node.state.replaceAll('_', ' ')}</span></>}{node.updated && ` · ${ago(node.updated)}`}</p>
    {edges.length > 0 && <><h3>Edges</h3><ul class="plain">{edges.map((edge, number) => {
      const out = edge.from === index, other = map.nodes[out ? edge.to : edge.from]!;
      return <li key={number}><small>{out ? '' : '← '}{edge.kind.replaceAll('_', ' ')}{out ? ' →' : ''}</small> <a href={link('graph', 'node', other.id)}>{other.title || other.id}</a></li>;
    })}</ul></>}
    <Shown asked={asked} what="Reading the node">{detail => <><h3>As a packet says it</h3><pre class="answer" tabIndex={0}>{detail.text}</pre><Revisions key={detail.id} detail={detail}/></>}</Shown>
  </>;
}

function GraphPage({id}: {id: string}) {
  const asked = useAsk<GraphMap>('/v1/graph', {});
  const [layers, setLayers] = useState(LAYERS);
  const [words, setWords] = useState('');
  const absent = <Empty title="There is no graph here yet."><code>knapsack graph init</code> creates one.</Empty>;
  return <Shown asked={asked} what="Reading the graph" absent={absent}>{map => {
    if (map.nodes.length === 0) return <Empty title="The graph has no nodes yet."><code>knapsack graph put</code> writes the first.</Empty>;
    const wanted = words.trim().toLowerCase();
    const matches = (node: GraphNode) => layers.includes(node.layer) && (wanted === '' || `${node.id} ${node.title} ${node.type} ${node.state}`.toLowerCase().includes(wanted));
    const rows = map.nodes.filter(matches);
    const node = map.nodes.find(each => each.id === id) ?? null;
    const choose = (each: GraphNode) => go('graph', 'node', each.id);
    return <div class="graph-columns">
      <section class="graph-main" aria-label="The graph">
        <div class="filters">
          <input type="search" placeholder="Find a node…" aria-label="Find a node" value={words} onInput={event => setWords(event.currentTarget.value)}/>
          <div class="switches" role="group" aria-label="Kinds of nodes">{LAYERS.map(layer => <button type="button" key={layer} class="switch" role="switch" aria-checked={layers.includes(layer)}
            onClick={() => setLayers(LAYERS.filter(each => each === layer ? !layers.includes(each) : layers.includes(each)))}><span class={`dot ${layer}`}/>{LAYER_NAMES[layer]} {grouped(map.nodes.filter(each => each.layer === layer).length)}</button>)}</div>
        </div>
        <ForceMap map={map} shown={matches} chosen={node} choose={choose}/>
        {map.all > map.nodes.length && <p class="hint">The newest {grouped(map.nodes.length)} of {grouped(map.all)} nodes.</p>}
        {rows.length === 0 ? <Empty title="No node matches."/> :
          <VirtualList rows={rows} height={40} label="Nodes, newest first" class="nodes" choose={choose} selected={node ? rows.indexOf(node) : -1}
            render={each => <><span class={`dot ${each.layer}`} aria-hidden="true"/><span class="name one"><b>{each.title || each.id}</b><small>{each.type}{each.state && `, ${each.state.replaceAll('_', ' ')}`}</small></span></>}/>}
      </section>
      <section class="detail" aria-label="The node">{node ? <NodePanel key={node.id} node={node} map={map}/> : <Empty title="Choose a node">In the picture or in the list below it: what it says, what it hangs on, how it came to be.</Empty>}</section>
    </div>;
  }}</Shown>;
}

export function GraphView({route}: {route: string[]}) {
  const notes = route[0] === 'notes';
  return <>
    <div class="page-head"><h1>{notes ? 'Notes' : 'Graph'}</h1>
      <nav class="choice" aria-label="Graph or notes"><a href={link('graph')} {...(notes ? {} : {'aria-current': 'page' as const})}>Graph</a><a href={link('graph', 'notes')} {...(notes ? {'aria-current': 'page' as const} : {})}>Notes</a></nav></div>
    {notes ? <NotesView/> : <GraphPage id={route[0] === 'node' ? route[1] ?? '' : ''}/>}
  </>;
}
