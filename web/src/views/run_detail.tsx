// One run: its facts, what became of everything it considered, and an answer to "why is this (not) there?"
import {useMemo, useState} from 'preact/hooks';
import {useAsk, useSettled} from '../ask';
import type {Decision, RunAccount} from '../api';
import {PacketText} from '../parts/packet_text';
import {ScoreBars} from '../parts/score_bars';
import {Drawer} from '../parts/drawer';
import {Empty, Shown} from '../parts/states';
import {UsageBar} from '../parts/usage_bar';
import {VirtualList} from '../parts/virtual_list';
import {counted, fileName, folderName, grouped, minute, score} from '../words';

export function fateOf(row: Decision): string {
  return row.included ? row.form || 'kept' : 'left out';
}

const isPath = (row: Decision) => row.source === 'code' && row.title.includes('/') && !/\s/.test(row.title);

function Explain({run}: {run: number}) {
  const [name, setName] = useState('');
  const wanted = useSettled(name.trim());
  const asked = useAsk<{text: string}>(wanted ? '/v1/explain' : null, {run: String(run), expect: wanted});
  return <section class="explain">
    <label for="expect">Why is something (not) there?</label>
    <input id="expect" type="search" placeholder="A part of its name: carriers.py, a symbol, a memory…" value={name} onInput={event => setName(event.currentTarget.value)}/>
    {wanted && <Shown asked={asked} what="Asking the ledger">{reply => <pre class="answer" tabIndex={0}>{reply.text.split('\n').slice(1).filter(line => !line.startsWith('(run-')).join('\n').trim()}</pre>}</Shown>}
  </section>;
}

function Output({run, close}: {run: number; close: () => void}) {
  const asked = useAsk<{text: string}>('/v1/runs/output', {run: String(run)});
  return <Drawer title={`What run ${run} handed out`} close={close}><Shown asked={asked} what="Reading it">{reply => <PacketText text={reply.text} at=""/>}</Shown></Drawer>;
}

export function RunDetail({number, pair}: {number: number; pair: () => void}) {
  const asked = useAsk<RunAccount>(`/v1/runs/${number}`);
  const [row, setRow] = useState<Decision | null>(null);
  const [filter, setFilter] = useState('');
  const [output, setOutput] = useState(false);
  const rows = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    return (asked.reply?.decisions ?? []).filter(each => each.stage !== 'understand' /* the task itself */ && (wanted === '' || `${each.title} ${each.id} ${each.stage}`.toLowerCase().includes(wanted)));
  }, [asked.reply, filter]);
  return <Shown asked={asked} what="Reading the run">{({run, warnings, decisions, left_out}) => {
    const packed = decisions.filter(each => each.stage === 'pack' && each.included);
    return <>
      <header class="detail-head">
        <h2>{run.asked || run.command}</h2>
        <div class="actions"><button type="button" onClick={() => setOutput(true)}>What it handed out</button><button type="button" onClick={pair}>Compare…</button></div>
      </header>
      <p class="facts-line">Run {run.number} · {run.command} · {minute(run.started)} · <span class={`badge ${run.status}`}>{run.status}</span> · {grouped(run.used)} of {run.budget > 1e9 ? 'unlimited' : grouped(run.budget)} tokens ({run.tokenizer})</p>
      <UsageBar parts={packed.map(each => ({...each, form: each.form || 'full'}))} used={run.used} budget={run.budget > 1e9 ? run.used : run.budget}/>
      {warnings.map(line => <p key={line} class="warning">{line}</p>)}
      <Explain run={run.number}/>
      <div class="tools"><h3>What it considered</h3><input type="search" placeholder="Filter…" aria-label="Filter what it considered" value={filter} onInput={event => setFilter(event.currentTarget.value)}/></div>
      {rows.length === 0 ? <Empty title={decisions.length === 0 ? 'It considered nothing.' : 'Nothing matches.'}/> :
        <VirtualList rows={rows} height={50} label="What the run considered" class="decisions" choose={setRow} selected={row ? rows.indexOf(row) : -1}
          rowClass={each => each.included ? 'in' : 'out'}
          render={each => <>
            <span class={`dot ${each.source}`} aria-hidden="true"/>
            <span class="name"><b title={each.title || each.id}>{isPath(each) ? <>{fileName(each.title)} <small>{folderName(each.title)}</small></> : each.title || each.id}</b><small>{each.stage}: {each.reason || each.section}</small></span>
            <span class="figures"><b>{each.tokens > 0 ? grouped(each.tokens) : ''}</b><small>{fateOf(each)}</small></span>
          </>}/>}
      {left_out > 0 && <p class="hint">{counted(left_out, 'row')} more than can be shown.</p>}
      {row && <Drawer close={() => setRow(null)} title={<><span class={`dot ${row.source}`}/>{row.title || row.id}</>}>
        <dl class="facts">
          <dt>Stage</dt><dd>{row.stage}, {row.section}</dd>
          <dt>Fate</dt><dd>{fateOf(row)}{row.tokens > 0 && `, ${grouped(row.tokens)} of ${grouped(row.full_tokens)} tokens`}</dd>
          {row.reason && <><dt>Because</dt><dd>{row.reason}</dd></>}
          <dt>Score</dt><dd>{score(row.score)}</dd>
          <dt>Name</dt><dd><code>{row.id}</code></dd>
        </dl>
        <ScoreBars total={row.score} components={row.components}/>
      </Drawer>}
      {output && <Output run={run.number} close={() => setOutput(false)}/>}
    </>;
  }}</Shown>;
}
