// Memory: all memories along their timeline, one with its history, and what a prompt would recall.
import {useMemo, useState} from 'preact/hooks';
import {useAsk, useSettled} from '../ask';
import type {Hits, Memories, MemoryRow} from '../api';
import {go, link} from '../router';
import {Empty, Failed, Loading} from '../parts/states';
import {Timeline} from '../parts/timeline';
import {VirtualList} from '../parts/virtual_list';
import {counted, day, grouped} from '../words';
import {MemoryDetail} from './memory_detail';
import {MemoryForm} from './memory_form';
import {RecallPreview} from './recall_preview';

const STATES = ['active', 'superseded', 'archived', 'forgotten', 'quarantined', 'all'];
type Listed = MemoryRow & {snippet?: string};

export function MemoryView({route}: {route: string[]}) {
  const [status, setStatus] = useState('active');
  const [category, setCategory] = useState('');
  const [query, setQuery] = useState('');
  const [span, setSpan] = useState<[number, number] | null>(null);
  const [writing, setWriting] = useState(false);
  const listed = useAsk<Memories>('/v1/memories', {status});
  const wanted = useSettled(query.trim());
  const found = useAsk<Hits>(wanted ? '/v1/preview/search' : null, {query: wanted, sources: ['memory'], limit: 200});
  const recall = route[0] === 'recall';
  const chosen = route[0] === 'one' ? route[1] ?? '' : '';

  const all = listed.reply?.memories ?? [];
  const categories = useMemo(() => [...new Set(all.map(row => row.category))].sort(), [all]);
  const rows = useMemo<Listed[]>(() => {
    let base: Listed[] = all;
    if (wanted && found.reply) {
      const known = new Map(all.map(row => [row.id, row]));
      base = found.reply.hits.flatMap(hit => { const row = known.get(hit.id); return row ? [{...row, snippet: hit.snippet}] : []; });
    }
    return base.filter(row => (category === '' || row.category === category) &&
        (span === null || (Date.parse(row.created) >= span[0] && Date.parse(row.created) < span[1])));
  }, [all, found.reply, wanted, category, span]);
  const changed = () => { listed.again(); if (wanted) found.again(); };

  return <div class={`split ${chosen || recall || writing ? 'has-detail' : ''}`}>
    <section class="side" aria-label="All memories">
      <div class="side-head"><h1>Memory</h1>
        <div class="actions"><a class="button" href={link('memory', 'recall')}>What would be recalled?</a><button type="button" class="main" onClick={() => { setWriting(true); go('memory'); }}>Remember</button></div></div>
      <div class="filters">
        <input type="search" placeholder="Search as you type…" aria-label="Search memories" value={query} onInput={event => setQuery(event.currentTarget.value)}/>
        <select aria-label="Status" value={status} onChange={event => { setStatus(event.currentTarget.value); setSpan(null); }}>{STATES.map(each => <option key={each}>{each}</option>)}</select>
        <select aria-label="Category" value={category} onChange={event => setCategory(event.currentTarget.value)}>
          <option value="">All categories</option>{categories.map(each => <option key={each}>{each}</option>)}
        </select>
      </div>
      {listed.error ? <Failed error={listed.error} again={listed.again}/> : found.error ? <Failed error={found.error} again={found.again}/> :
        listed.reply === null ? <Loading what="Reading the memories"/> : <>
          <Timeline times={all.map(row => row.created)} span={span} choose={setSpan}/>
          <p class="facts-line" role="status">{counted(rows.length, 'memory', 'memories')}{rows.length !== listed.reply.all && ` of ${grouped(listed.reply.all)}`}{span && <> · {day(new Date(span[0]).toISOString())} to {day(new Date(span[1] - 1).toISOString())} <button type="button" class="quiet" onClick={() => setSpan(null)}>Show all</button></>}</p>
          {rows.length === 0 ? <Empty title={all.length === 0 && !wanted ? 'Nothing is remembered yet.' : 'No memory matches.'}>{all.length === 0 && !wanted && <>Press Remember, or let an agent do it.</>}</Empty> :
            <VirtualList rows={rows} height={58} label="Memories, newest first" class="memories" choose={row => { setWriting(false); go('memory', 'one', row.id); }}
              selected={rows.findIndex(row => row.id === chosen)}
              render={row => <>
                <span class={`chip ${row.status}`}>{row.category || row.kind}</span>
                <span class="name"><b>{row.snippet || row.title}</b><small>{day(row.created)}{row.tags.length > 0 && ` · ${row.tags.join(', ')}`}</small></span>
                <span class="figures" title="Importance"><span class="weight" style={{'--share': row.importance}}/></span>
              </>}/>}
        </>}
    </section>
    <section class="detail" aria-label="Details">
      {writing ? <MemoryForm done={id => { setWriting(false); changed(); go('memory', 'one', id); }} cancel={() => setWriting(false)}/> :
        recall ? <RecallPreview/> :
        chosen ? <MemoryDetail key={chosen} id={chosen} changed={changed}/> :
        <Empty title="Choose a memory">Its text, where it comes from, what it replaced, and which packets told it.</Empty>}
      {(chosen || recall || writing) && <a class="back" href={link('memory')} onClick={() => setWriting(false)}>← All memories</a>}
    </section>
  </div>;
}
