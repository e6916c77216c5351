// One memory: its text, its facts, what it replaced, which runs told it; and what can be done with it.
import {useState} from 'preact/hooks';
import {ask, type MemoryDetail as Detail} from '../api';
import {useAct, useAsk} from '../ask';
import {go, link} from '../router';
import {Failed, Shown} from '../parts/states';
import {ago, day, minute} from '../words';
import {MemoryForm} from './memory_form';

const FACTS: [string, string][] = [['category', 'Category'], ['status', 'Status'], ['namespace', 'Namespace'], ['path', 'File'], ['confidence', 'Confidence'],
  ['importanceLevel', 'Importance'], ['accessCount', 'Recalled, times'], ['entityRef', 'About'], ['speaker', 'Said by'], ['session', 'Session'], ['sourceMemoryId', 'Made from']];
const TIMES: [string, string][] = [['created', 'Written'], ['valid_at', 'Valid from'], ['updated', 'Changed'], ['lastAccessed', 'Last recalled'], ['invalid_at', 'Valid until'], ['expiresAt', 'Expires']];

function shown(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(Math.round(value * 100) / 100) : JSON.stringify(value);
}

export function MemoryDetail({id, changed}: {id: string; changed: () => void}) {
  const asked = useAsk<Detail>('/v1/memory', {id});
  const [correcting, setCorrecting] = useState(false);
  const [forgetting, setForgetting] = useState(false);
  const [said, setSaid] = useState('');
  const {act, busy, error} = useAct();
  const judge = (useful: boolean) => void act(async () => {
    const counts = await ask<{useful: number; not_useful: number}>('/v1/feedback', {id, useful});
    setSaid(`Noted: useful ${counts.useful}, not useful ${counts.not_useful}.`);
    asked.again();
  });
  const forget = () => void act(async () => {
    await ask('/v1/forget', {id});
    setForgetting(false);
    setSaid('It is not recalled any more. Its file stays.');
    asked.again();
    changed();
  });
  return <Shown asked={asked} what="Reading the memory">{({memory, versions, runs}) => correcting ?
    <MemoryForm replaces={id} text={memory.text} cancel={() => setCorrecting(false)} done={next => { setCorrecting(false); changed(); go('memory', 'one', next); }}/> : <>
    <header class="detail-head"><h2><code>{memory.id}</code></h2><span class={`badge ${memory.status}`}>{memory.status}</span></header>
    <blockquote class="memory-text">{memory.text}</blockquote>
    {Array.isArray(memory['tags']) && <p class="tags">{(memory['tags'] as string[]).map(tag => <span key={tag} class="chip">{tag}</span>)}</p>}
    <div class="actions">
      <button type="button" disabled={busy} onClick={() => judge(true)}>Useful <b>{shown(memory['usefulCount'] ?? 0)}</b></button>
      <button type="button" disabled={busy} onClick={() => judge(false)}>Not useful <b>{shown(memory['notUsefulCount'] ?? 0)}</b></button>
      {memory.status === 'active' && <button type="button" onClick={() => setCorrecting(true)}>Correct…</button>}
      {memory.status === 'active' && !forgetting && <button type="button" class="danger" onClick={() => setForgetting(true)}>Forget…</button>}
      {forgetting && <span class="sure" role="group" aria-label="Forget it?">It will not be recalled any more. <button type="button" class="danger" disabled={busy} onClick={forget}>Forget it</button> <button type="button" onClick={() => setForgetting(false)}>Keep it</button></span>}
    </div>
    <p class="said" role="status">{said}</p>
    {error && <Failed error={error}/>}
    <dl class="facts">{FACTS.filter(([key]) => memory[key] !== undefined && memory[key] !== '').map(([key, name]) => <><dt key={key}>{name}</dt><dd>{key === 'path' ? <code>{shown(memory[key])}</code> : shown(memory[key])}</dd></>)}</dl>
    <h3>History</h3>
    <ol class="history">
      {TIMES.filter(([key]) => typeof memory[key] === 'string').map(([key, name]) => <li key={key}><b>{name}</b> <time dateTime={memory[key] as string}>{minute(memory[key] as string)}</time> <small>{ago(memory[key] as string)}</small></li>)}
      {versions.map(each => <li key={each.id}><b>{each.status === 'superseded' ? 'Replaced' : 'Replaced by'}</b> <a href={link('memory', 'one', each.id)}>{each.id}</a> <small>{day(each.created)}, {each.status}</small><p class="old">{each.text}</p></li>)}
    </ol>
    <h3>Told by</h3>
    {runs.length === 0 ? <p class="hint">None of the latest runs handed it out.</p> :
      <ul class="plain">{runs.map(run => <li key={run.number}><a href={link('runs', run.number)}>Run {run.number}</a> {run.command} <small>{ago(run.started)}{run.asked && ` · ${run.asked}`}</small></li>)}</ul>}
  </>}</Shown>;
}
