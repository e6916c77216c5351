// When things were written: a bar a month (or a day, or a year, by how far they reach). A bar is chosen with a click.
import {scaleLinear} from 'd3-scale';
import {useMemo} from 'preact/hooks';
import {counted} from '../words';

type Unit = 'day' | 'month' | 'year';
const BARS = 60;

function start(time: number, unit: Unit): number {
  const at = new Date(time);
  return Date.UTC(at.getUTCFullYear(), unit === 'year' ? 0 : at.getUTCMonth(), unit === 'day' ? at.getUTCDate() : 1);
}
function next(time: number, unit: Unit): number {
  const at = new Date(time);
  return Date.UTC(at.getUTCFullYear() + (unit === 'year' ? 1 : 0), at.getUTCMonth() + (unit === 'month' ? 1 : 0), at.getUTCDate() + (unit === 'day' ? 1 : 0));
}

const NAMES: Record<Unit, Intl.DateTimeFormat> = {
  day: new Intl.DateTimeFormat('en', {day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC'}),
  month: new Intl.DateTimeFormat('en', {month: 'short', year: 'numeric', timeZone: 'UTC'}),
  year: new Intl.DateTimeFormat('en', {year: 'numeric', timeZone: 'UTC'}),
};

export function Timeline({times, span, choose}: {times: string[]; span: [number, number] | null; choose: (span: [number, number] | null) => void}) {
  const bars = useMemo(() => {
    const at = times.map(time => Date.parse(time)).filter(time => !Number.isNaN(time));
    if (at.length === 0) return [];
    let first = at[0]!, last = at[0]!;
    for (const time of at) { first = Math.min(first, time); last = Math.max(last, time); }
    const days = (last - first) / 86_400_000;
    const unit: Unit = days <= BARS ? 'day' : days <= BARS * 30 ? 'month' : 'year';
    const counts = new Map<number, number>();
    for (const time of at) counts.set(start(time, unit), (counts.get(start(time, unit)) ?? 0) + 1);
    const made: {from: number; to: number; count: number; name: string}[] = [];
    for (let from = start(first, unit); from <= last; from = next(from, unit)) made.push({from, to: next(from, unit), count: counts.get(from) ?? 0, name: NAMES[unit].format(from)});
    return made;
  }, [times]);
  if (bars.length < 2) return null;
  const height = scaleLinear().domain([0, Math.max(...bars.map(bar => bar.count))]).range([0, 100]);
  return <div class="timeline" role="group" aria-label="When they were written">
    <div class="bars">
      {bars.map(bar => {
        const chosen = span !== null && span[0] === bar.from;
        return bar.count === 0 ? <span key={bar.from} class="gap"/> :
          <button type="button" key={bar.from} aria-pressed={chosen} aria-label={`${bar.name}: ${counted(bar.count, 'memory', 'memories')}`} title={`${bar.name}: ${bar.count}`}
            onClick={() => choose(chosen ? null : [bar.from, bar.to])}><span style={{height: `${Math.max(6, height(bar.count))}%`}}/></button>;
      })}
    </div>
    <div class="ends" aria-hidden="true"><span>{bars[0]!.name}</span><span>{bars.at(-1)!.name}</span></div>
  </div>;
}
