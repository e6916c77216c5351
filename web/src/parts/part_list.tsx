// Everything that was considered for a packet: what is in it, the cut, and behind it what was left out and why.
import {useMemo, useState} from 'preact/hooks';
import type {Part} from '../api';
import {grouped, score} from '../words';
import {placeOf} from './treemap';
import {Empty} from './states';
import {VirtualList} from './virtual_list';

const ROW = 52;

export function PartList({parts, chosen, choose, label}: {parts: Part[]; chosen: string; choose: (part: Part) => void; label: string}) {
  const [filter, setFilter] = useState('');
  const [only, setOnly] = useState<'all' | 'in' | 'out'>('all');
  const ordered = useMemo(() => {
    const shown = parts.filter(part => part.form);
    const left = parts.filter(part => !part.form).sort((a, b) => b.score - a.score);
    return [...shown, ...left];
  }, [parts]);
  const rows = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    return ordered.filter(part => (only === 'all' || (only === 'in') === (part.form !== '')) &&
        (wanted === '' || `${part.title} ${placeOf(part)} ${part.id}`.toLowerCase().includes(wanted)));
  }, [ordered, filter, only]);
  const cut = rows.findIndex(part => !part.form);
  const inside = parts.filter(part => part.form).length;
  return <section class="part-list" aria-label={label}>
    <div class="tools">
      <input type="search" placeholder="Find a part by its name…" aria-label="Find a part by its name" value={filter} onInput={event => setFilter(event.currentTarget.value)}/>
      <div class="choice" role="group" aria-label="Which parts">
        {([['all', 'All', parts.length], ['in', 'In', inside], ['out', 'Left out', parts.length - inside]] as const).map(([key, name, count]) =>
          <button type="button" key={key} aria-pressed={only === key} onClick={() => setOnly(key)}>{name} <b>{grouped(count)}</b></button>)}
      </div>
    </div>
    {rows.length === 0 ? <Empty title={filter ? `Nothing that was considered is called “${filter}”.` : 'Nothing here.'}>{filter && 'It was not found for this task at all: name it in the task, or look for it in the code.'}</Empty> :
      <VirtualList rows={rows} height={ROW} label={label} choose={choose} selected={rows.findIndex(part => part.id === chosen)}
        rowClass={(part, index) => `${part.form ? 'in' : 'out'} ${index === cut && cut > 0 ? 'cut' : ''}`}
        render={part => <>
          <span class={`dot ${part.source}`} aria-hidden="true"/>
          <span class="name"><b>{part.title}</b><small>{part.reason || placeOf(part)}</small></span>
          <span class="figures"><b>{part.form ? grouped(part.tokens) : `+${grouped(part.tokens)}`}</b><small>{part.form || `score ${score(part.score)}`}</small></span>
        </>}/>}
  </section>;
}
