// How much of a budget is used, and by which source.
import {SOURCES, type Source} from '../api';
import {grouped} from '../words';
import {SOURCE_NAMES} from './treemap';

export function UsageBar({parts, used, budget}: {parts: {source: Source; form: string; tokens: number}[]; used: number; budget: number}) {
  const sums = new Map<Source, number>();
  let sum = 0;
  for (const part of parts) {
    if (!part.form) continue;
    sums.set(part.source, (sums.get(part.source) ?? 0) + part.tokens);
    sum += part.tokens;
  }
  // Parts of one file that share lines cost less together than their prices.
  const scale = (sum > used && sum > 0 ? used / sum : 1) / Math.max(1, budget, used);
  const rest = Math.max(0, used - sum);
  return <div class="usage">
    <div class="usage-bar" role="img" aria-label={`${grouped(used)} of ${grouped(budget)} tokens used`}>
      {SOURCES.map(source => <span key={source} class={source} style={{width: `${100 * (sums.get(source) ?? 0) * scale}%`}}/>)}
      <span class="frame" style={{width: `${100 * rest / Math.max(1, budget, used)}%`}}/>
    </div>
    <ul class="legend">
      {SOURCES.filter(source => sums.get(source)).map(source => <li key={source}><span class={`dot ${source}`}/>{SOURCE_NAMES[source]} <b>{grouped(sums.get(source) ?? 0)}</b></li>)}
      {rest > 0 && <li><span class="dot frame"/>{SOURCE_NAMES.frame} <b>{grouped(rest)}</b></li>}
    </ul>
  </div>;
}
