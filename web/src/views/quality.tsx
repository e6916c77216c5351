// Quality: how well the ranking found what tasks with known answers needed, from the newest reports of `eval`.
import {useState} from 'preact/hooks';
import type {EvalReport, Evaluations, Figure, FigureTable} from '../api';
import {useAsk} from '../ask';
import {BudgetChart, type Series} from '../parts/budget_chart';
import {MethodChart} from '../parts/method_chart';
import {Empty, Shown} from '../parts/states';
import {counted, grouped, minute} from '../words';

const METRICS: Record<string, string> = {lines: 'Changed lines shown', whole: 'Tasks with all lines', any: 'Tasks with any line', precision: 'Precision', f1: 'F1'};

function figure(table: FigureTable, name: string): Figure | null {
  const found = table[name];
  return typeof found === 'object' ? found : null;
}

// "lines@8000" and "lines@8000 filled", by metric.
function byBudget(table: FigureTable, metric: string, filled: boolean): {budget: number; figure: Figure}[] {
  const points = [];
  for (const name of Object.keys(table)) {
    const found = /^(\w+)@(\d+)( filled)?$/.exec(name);
    if (found?.[1] !== metric || (found[3] !== undefined) !== filled) continue;
    points.push({budget: Number(found[2]), figure: figure(table, name)!});
  }
  return points.sort((a, b) => a.budget - b.budget);
}

// Shares by rank ("acc@5", "recall@10"), which every method has.
function rankMetrics(table: FigureTable): string[] {
  return Object.keys(table).filter(name => figure(table, name) && figure(table, name)!.high <= 1 && !/@\d{3,}/.test(name));
}

function Report({report}: {report: EvalReport}) {
  const methods = Object.entries(report.methods);
  const table = methods[0]![1].overall;
  const metrics = Object.keys(METRICS).filter(metric => byBudget(table, metric, false).length > 0);
  const [metric, setMetric] = useState(metrics[0] ?? '');
  const ranks = rankMetrics(table);
  const [rank, setRank] = useState(ranks.find(name => name.includes('@5')) ?? ranks[0] ?? '');
  const [filled, setFilled] = useState(true);
  const series: Series[] = methods.map(([name, method]) => ({name, points: byBudget(method.overall, metric, filled)})).filter(each => each.points.length > 0);
  return <div class="cards wide">
    {metrics.length > 0 && <section class="card"><div class="tools"><h2 class="grow">By budget</h2><button type="button" class="switch" role="switch" aria-checked={filled} title="Packets that go on until the budget is used up" onClick={() => setFilled(!filled)}>Filled</button><select aria-label="Metric by budget" value={metric} onChange={event => setMetric(event.currentTarget.value)}>{metrics.map(each => <option key={each} value={each}>{METRICS[each]}</option>)}</select></div>
      <BudgetChart series={series} label={METRICS[metric] ?? metric}/></section>}
    <section class="card"><div class="tools"><h2>By method</h2><select aria-label="Metric by method" value={rank} onChange={event => setRank(event.currentTarget.value)}>{ranks.map(each => <option key={each}>{each}</option>)}</select></div>
      <MethodChart rows={methods.flatMap(([name, method]) => { const found = figure(method.overall, rank); return found ? [{name, figure: found}] : []; })} label={rank}/></section>
    <section class="card"><h2>All figures of {methods[0]![0]}</h2><div class="scroll" tabIndex={0} role="region" aria-label="All figures"><table class="figures-table"><thead><tr><th scope="col">Figure</th><th scope="col">Value</th><th scope="col">95 % interval</th></tr></thead>
      <tbody>{Object.keys(table).filter(name => figure(table, name)).map(name => { const each = figure(table, name)!; const share = each.high <= 1; const say = (value: number) => share ? `${(100 * value).toFixed(1)} %` : grouped(Math.round(value));
        return <tr key={name}><th scope="row">{name}</th><td>{say(each.value)}</td><td>{say(each.low)} – {say(each.high)}</td></tr>; })}</tbody></table></div></section>
    <section class="card"><h2>Speed</h2><ul class="plain">{methods.map(([name, method]) => <li key={name}>{name}: half of the answers within {(method.micros.p50 / 1000).toFixed(1)} ms, 95 % within {(method.micros.p95 / 1000).toFixed(1)} ms</li>)}</ul></section>
  </div>;
}

export function QualityView() {
  const asked = useAsk<Evaluations>('/v1/evaluations');
  const [at, setAt] = useState(0);
  return <><div class="page-head"><h1>Quality</h1></div>
    <Shown asked={asked} what="Reading the reports">{({reports}) => {
      const kept = reports[at];
      if (!kept) return <Empty title="Nothing was measured here yet.">Run <code>knapsack eval --from-git 50</code> in this repository: it makes tasks of the newest commits and measures how much of what they changed a packet shows.</Empty>;
      return <>
        <div class="filters"><select aria-label="Report" value={at} onChange={event => setAt(Number(event.currentTarget.value))}>{reports.map((each, index) => <option key={each.made} value={index}>{minute(each.made)}</option>)}</select>
          <p class="facts-line">{counted(kept.report.tasks, 'task')} · knapsack {kept.report.version}{kept.report.set_aside > 0 && ` · ${kept.report.set_aside} set aside`}</p></div>
        {Object.keys(kept.report.methods ?? {}).length === 0 ? <Empty title="This report has no figures."/> : <Report key={at} report={kept.report}/>}
      </>;
    }}</Shown></>;
}
