// Runs: every run of the ledger, one looked at closely, or two side by side.
import {useCallback, useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {ask, Refused, type Run} from '../api';
import {go, link} from '../router';
import {Empty, Failed, Loading} from '../parts/states';
import {VirtualList} from '../parts/virtual_list';
import {ago, grouped, minute} from '../words';
import {RunDetail} from './run_detail';
import {RunPair} from './run_pair';

const COMMANDS = ['pack', 'agent', 'retrieve', 'refine', 'recall', 'search', 'graph pack', 'hook'];
const AT_ONCE = 500;

interface Listed { runs: Run[]; next: number; loading: boolean; error: Refused | null }

// All runs that match, a page at a time as the reader comes near the end.
function useRuns(command: string, since: string, until: string) {
  const [listed, setListed] = useState<Listed>({runs: [], next: 0, loading: true, error: null});
  const round = useRef(0);
  const busy = useRef(false);
  const load = useCallback(async (runs: Run[], below: number) => {
    if (busy.current) return;
    busy.current = true;
    const mine = round.current;
    setListed(before => ({...before, loading: true, error: null}));
    try {
      const reply = await ask<{runs: Run[]; next: number}>('/v1/runs', {limit: AT_ONCE, below, command,
        ...(since ? {since: `${since}T00:00:00Z`} : {}), ...(until ? {until: `${until}T23:59:59Z`} : {})});
      if (mine === round.current) setListed({runs: [...runs, ...reply.runs], next: reply.next, loading: false, error: null});
    } catch (error) {
      if (mine === round.current) setListed(before => ({...before, loading: false, error: error as Refused}));
    }
    busy.current = false;
    if (mine !== round.current) void load([], 0);
  }, [command, since, until]);
  useEffect(() => {
    ++round.current;
    setListed({runs: [], next: 0, loading: true, error: null});
    void load([], 0);
  }, [load]);
  return {...listed, goOn: () => { if (listed.next > 0 && !listed.loading) void load(listed.runs, listed.next); }, again: () => void load([], 0)};
}

export function RunsView({route}: {route: string[]}) {
  const [command, setCommand] = useState('');
  const [since, setSince] = useState('');
  const [until, setUntil] = useState('');
  const [words, setWords] = useState('');
  const listed = useRuns(command, since, until);
  const chosen = Number(route[0] ?? 0), other = Number(route[1] ?? 0);
  const [pairing, setPairing] = useState(false);
  const rows = useMemo(() => {
    const wanted = words.trim().toLowerCase();
    return wanted === '' ? listed.runs : listed.runs.filter(run => `${run.asked} ${run.run} ${run.command}`.toLowerCase().includes(wanted));
  }, [listed.runs, words]);
  const choose = (run: Run) => {
    if (pairing && chosen > 0 && run.number !== chosen) { setPairing(false); go('runs', Math.min(chosen, run.number), Math.max(chosen, run.number)); }
    else go('runs', run.number);
  };
  return <div class={`split ${chosen > 0 && !pairing ? 'has-detail' : ''}`}>
    <section class="side" aria-label="All runs">
      <h1>Runs</h1>
      <div class="filters">
        <input type="search" placeholder="Words of the task…" aria-label="Words of the task" value={words} onInput={event => setWords(event.currentTarget.value)}/>
        <select aria-label="Command" value={command} onChange={event => setCommand(event.currentTarget.value)}>
          <option value="">All commands</option>{COMMANDS.map(each => <option key={each}>{each}</option>)}
        </select>
        <label>From <input type="date" value={since} max={until} onChange={event => setSince(event.currentTarget.value)}/></label>
        <label>to <input type="date" value={until} min={since} onChange={event => setUntil(event.currentTarget.value)}/></label>
      </div>
      {pairing && <p class="hint" role="status">Choose the run to compare with number {chosen}. <button type="button" class="quiet" onClick={() => setPairing(false)}>Cancel</button></p>}
      {listed.error ? <Failed error={listed.error} again={listed.again}/> :
        listed.loading && listed.runs.length === 0 ? <Loading what="Reading the ledger"/> :
        rows.length === 0 ? <Empty title={command || since || until || words ? 'No run matches.' : 'No runs yet.'}>{!(command || since || until || words) && <>Every packet that an agent is given is recorded here. <code>knapsack pack TASK</code> makes the first.</>}</Empty> :
        <VirtualList rows={rows} height={58} label="Runs, newest first" class="runs" choose={choose} nearEnd={listed.goOn}
          selected={rows.findIndex(run => run.number === chosen)}
          rowClass={run => run.number === other ? 'second' : ''}
          render={run => <>
            <span class="run-number">{run.number}</span>
            <span class="name"><b>{run.asked || run.run}</b><small><span class={`badge ${run.status}`}>{run.status}</span> {run.command} · <time dateTime={run.started} title={minute(run.started)}>{ago(run.started)}</time></small></span>
            <span class="figures"><b>{grouped(run.used)}</b><small>of {run.budget > 1e9 ? '∞' : grouped(run.budget)}</small></span>
          </>}/>}
    </section>
    <section class="detail" aria-label="The run">
      {chosen === 0 ? <Empty title="Choose a run">It shows what was kept, what was left out, and why. Two can be compared.</Empty> :
        other > 0 ? <RunPair first={chosen} second={other}/> :
        <RunDetail key={chosen} number={chosen} pair={() => setPairing(true)}/>}
      {chosen > 0 && <a class="back" href={link('runs')}>← All runs</a>}
    </section>
  </div>;
}
