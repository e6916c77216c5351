// Pack: a task and a budget in, the packet out, with where its tokens went and what was left out.
import {useEffect, useState} from 'preact/hooks';
import {SOURCES, type Account, type Part, type Source, type Workspace} from '../api';
import {useAsk} from '../ask';
import {BudgetSlider} from '../parts/budget_slider';
import {PacketText} from '../parts/packet_text';
import {PartDetail} from '../parts/part_detail';
import {PartList} from '../parts/part_list';
import {Empty, Failed, Loading} from '../parts/states';
import {placeOf, SOURCE_NAMES, Treemap} from '../parts/treemap';
import {UsageBar} from '../parts/usage_bar';
import {counted, grouped} from '../words';

interface Wanted { task: string; budget: number; sources: Source[]; fill: boolean }
const KEY = 'knapsack.pack';

function remembered(): Partial<Wanted> {
  try { return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Wanted>; } catch { return {}; }
}

function Summary({account, millis, loading}: {account: Account; millis: number; loading: boolean}) {
  const inside = account.parts.filter(part => part.form).length;
  return <div class="summary" role="status" aria-busy={loading}>
    <strong>{grouped(account.used)}</strong> of {grouped(account.budget)} tokens
    <span> · {counted(inside, 'part')} in</span>
    <span> · {grouped(account.parts.length - inside + account.left_out)} left out</span>
    {account.behind_stop > 0 && <span> · {grouped(account.behind_stop)} too far below the best</span>}
    <span class="quietly"> · {Math.round(millis)} ms</span>
    {account.status !== 'ok' && <span class={`badge ${account.status}`}>{account.status}</span>}
  </div>;
}

export function PackView({workspace}: {workspace: Workspace | null}) {
  const [draft, setDraft] = useState(remembered().task ?? '');
  const [task, setTask] = useState(draft);
  const [budget, setBudget] = useState(remembered().budget ?? 0);
  const [sources, setSources] = useState<Source[]>(remembered().sources ?? SOURCES);
  const [fill, setFill] = useState(remembered().fill ?? false);
  const [fresh, setFresh] = useState(true);  // the first packet of a task looks at the files again
  const [part, setPart] = useState<Part | null>(null);
  const [at, setAt] = useState('');
  const [copied, setCopied] = useState(false);
  useEffect(() => { if (budget === 0 && workspace) setBudget(Number(workspace.budget) || 8000); }, [workspace]);
  useEffect(() => { sessionStorage.setItem(KEY, JSON.stringify({task, budget, sources, fill})); }, [task, budget, sources, fill]);

  const body = {task, budget, fill, refresh: fresh, ...(sources.length === SOURCES.length ? {} : {sources})};
  const asked = useAsk<Account>(task && budget > 0 && sources.length > 0 ? '/v1/preview/pack' : null, body);
  const account = asked.reply;
  const submit = (event?: Event) => {
    event?.preventDefault();
    if (draft.trim() === '') return;
    setFresh(true);
    setTask(draft.trim());
    if (draft.trim() === task) asked.again();
  };
  const change = (next: number) => { setFresh(false); setBudget(next); };
  const toggle = (source: Source) => {
    setFresh(false);
    setSources(SOURCES.filter(each => each === source ? !sources.includes(each) : sources.includes(each)));
  };
  const choose = (chosen: Part) => { setPart(chosen); setAt(placeOf(chosen)); };
  const copy = async () => {
    await navigator.clipboard.writeText(account!.text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };

  return <>
    <form class="pack-form" onSubmit={submit}>
      <h1 class="unseen">Pack</h1>
      <div class="task">
        <label class="unseen" for="task">The task</label>
        <textarea id="task" rows={2} placeholder="What is the agent about to do? Name files, symbols, errors." value={draft}
          onInput={event => setDraft(event.currentTarget.value)}
          onKeyDown={event => { if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) submit(event); }}/>
        <button type="submit" class="main" disabled={draft.trim() === ''}>Pack</button>
      </div>
      <div class="knobs">
        <BudgetSlider budget={budget || 8000} change={change}/>
        <div class="switches" role="group" aria-label="Sources">
          {SOURCES.map(source => <button type="button" key={source} class={`switch ${source}`} role="switch" aria-checked={sources.includes(source)} onClick={() => toggle(source)}>
            <span class={`dot ${source}`} aria-hidden="true"/>{SOURCE_NAMES[source]}</button>)}
          <button type="button" class="switch" role="switch" aria-checked={fill} title="Go on where parts stop being close to the task" onClick={() => { setFresh(false); setFill(!fill); }}>Fill</button>
        </div>
      </div>
    </form>
    {task === '' ? <Empty title="What would your agent be told?">Write a task above and press Enter. Nothing is recorded: this is only a look.</Empty> :
      sources.length === 0 ? <Empty title="All sources are switched off.">Switch one on to pack from it.</Empty> :
      asked.error ? <Failed error={asked.error} again={asked.again}/> :
      account === null ? <Loading what="Packing"/> :
      <div class={`packed ${asked.loading ? 'stale' : ''}`}>
        <Summary account={account} millis={asked.millis} loading={asked.loading}/>
        <UsageBar parts={account.parts} used={account.used} budget={account.budget}/>
        {[...new Set([...account.warnings, ...account.notices])].map(line => <p key={line} class="warning">{line}</p>)}
        {account.used === 0 && account.parts.length === 0 ? <Empty title="There is nothing on this.">No source has anything that bears on the task.</Empty> :
        <div class="columns">
          <section class="column packet" aria-label="Packet">
            <header><h2>The packet</h2><button type="button" class="quiet" onClick={() => void copy()}>{copied ? 'Copied' : 'Copy'}</button></header>
            <PacketText text={account.text} at={at}/>
          </section>
          <section class="column" aria-label="Where the tokens went">
            <header><h2>Where the tokens went</h2></header>
            <Treemap parts={account.parts} used={account.used} chosen={part?.id ?? ''} choose={choose}/>
            <header><h2>What was considered</h2></header>
            <PartList parts={account.parts} chosen={part?.id ?? ''} choose={choose} label="Parts that were considered"/>
          </section>
        </div>}
      </div>}
    {part && <PartDetail part={part} close={() => setPart(null)}/>}
  </>;
}
