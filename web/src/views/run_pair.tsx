// Two runs side by side: what entered, what left, what changed its form or its place.
import {useMemo} from 'preact/hooks';
import {useAsk} from '../ask';
import type {Decision, RunAccount} from '../api';
import {Empty, Shown} from '../parts/states';
import {VirtualList} from '../parts/virtual_list';
import {grouped, minute, shortName} from '../words';
import {fateOf} from './run_detail';

interface Change { kind: 'entered' | 'left' | 'moved'; id: string; before: Decision | null; after: Decision | null; rank: [number, number] }

// Only the last stage says what an agent was shown.
function shownIn(account: RunAccount): Map<string, {row: Decision; rank: number}> {
  const rows = account.decisions.filter(row => row.included && (row.stage === 'pack' || row.stage === 'rank'));
  const last = rows.length > 0 ? rows : account.decisions.filter(row => row.included);
  return new Map(last.map((row, rank) => [row.id, {row, rank: rank + 1}]));
}

function renumber(rows: Map<string, {row: Decision; rank: number}>, other: Map<string, unknown>) {
  let place = 0;
  for (const [id, each] of rows) if (other.has(id)) each.rank = ++place;
}

function changes(first: RunAccount, second: RunAccount): {list: Change[]; same: number} {
  const before = shownIn(first), after = shownIn(second);
  const list: Change[] = [];
  let same = 0;
  // A place is counted among those that both have: what entered or left moves nobody.
  renumber(before, after);
  renumber(after, before);
  for (const [id, {row, rank}] of after) {
    const old = before.get(id);
    if (!old) list.push({kind: 'entered', id, before: null, after: row, rank: [0, rank]});
    else if (old.row.form !== row.form || old.rank !== rank) list.push({kind: 'moved', id, before: old.row, after: row, rank: [old.rank, rank]});
    else ++same;
  }
  for (const [id, {row, rank}] of before) {
    if (!after.has(id)) list.push({kind: 'left', id, before: row, after: null, rank: [rank, 0]});
  }
  return {list, same};
}

const NAMES = {entered: 'Entered', left: 'Left', moved: 'Moved'};

function movedBy({before, after, rank}: Change): string {
  const place = rank[0] === rank[1] ? [] : [`place ${rank[0]} → ${rank[1]}`];
  return [...place, ...(before!.form === after!.form ? [] : [`${fateOf(before!)} → ${fateOf(after!)}`])].join(', ');
}

export function RunPair({first, second}: {first: number; second: number}) {
  const one = useAsk<RunAccount>(`/v1/runs/${first}`);
  const two = useAsk<RunAccount>(`/v1/runs/${second}`);
  const found = useMemo(() => one.reply && two.reply ? changes(one.reply, two.reply) : null, [one.reply, two.reply]);
  return <Shown asked={one} what="Reading the first run">{a => <Shown asked={two} what="Reading the second run">{b => {
    const {list, same} = found ?? {list: [], same: 0};
    return <>
      <header class="detail-head"><h2>Run {first} and run {second}</h2></header>
      <div class="pair">
        {[a.run, b.run].map(run => <div key={run.number} class="card">
          <b>Run {run.number}</b><span>{run.asked || run.command}</span>
          <small>{minute(run.started)} · {grouped(run.used)} of {run.budget > 1e9 ? 'unlimited' : grouped(run.budget)} tokens</small>
        </div>)}
      </div>
      <p class="facts-line">{(['entered', 'left', 'moved'] as const).map(kind => `${NAMES[kind].toLowerCase()} ${grouped(list.filter(each => each.kind === kind).length)}`).join(' · ')} · the same {grouped(same)}</p>
      {list.length === 0 ? <Empty title="Both showed the same."/> :
        <div class="three">
          {(['entered', 'left', 'moved'] as const).map(kind => {
            const rows = list.filter(each => each.kind === kind);
            return <section key={kind} class={`change ${kind}`} style={{'--rows': rows.length}}>
              <h3>{NAMES[kind]} <b>{grouped(rows.length)}</b></h3>
              {rows.length === 0 ? <p class="hint">Nothing {kind}.</p> :
                <VirtualList rows={rows} height={46} label={`${NAMES[kind]} between the runs`} render={each => {
                  const row = (each.after ?? each.before)!;
                  return <>
                    <span class={`dot ${row.source}`} aria-hidden="true"/>
                    <span class="name"><b title={row.title}>{row.source === 'code' ? shortName(row.title || row.id, row.id) : row.title || row.id}</b><small>{kind === 'moved' ? movedBy(each) : `${fateOf(row)}, ${grouped(row.tokens)} tokens`}</small></span>
                  </>;
                }}/>}
            </section>;
          })}
        </div>}
    </>;
  }}</Shown>}</Shown>;
}
