// A share over budgets: a line a series, with its interval as a band.
import {scaleLinear, scaleLog} from 'd3-scale';
import {area, line} from 'd3-shape';
import type {Figure} from '../api';
import {short} from '../words';

export interface Series { name: string; points: {budget: number; figure: Figure}[] }
type Point = Series['points'][number];

const WIDTH = 560, HEIGHT = 300, LEFT = 44, BOTTOM = 34, TOP = 12, RIGHT = 12;

export function BudgetChart({series, label}: {series: Series[]; label: string}) {
  const budgets = [...new Set(series.flatMap(each => each.points.map(point => point.budget)))].sort((a, b) => a - b);
  if (budgets.length === 0) return <p class="hint">This report has no figures by budget.</p>;
  const x = scaleLog().domain([budgets[0]!, Math.max(budgets.at(-1)!, budgets[0]! + 1)]).range([LEFT, WIDTH - RIGHT]);
  const y = scaleLinear().domain([0, 1]).range([HEIGHT - BOTTOM, TOP]);
  const path = line<Point>(point => x(point.budget), point => y(point.figure.value));
  const band = area<Point>().x(point => x(point.budget)).y0(point => y(point.figure.low)).y1(point => y(point.figure.high));
  return <figure class="chart">
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${label} by budget: ${series.map(each => `${each.name} ${each.points.map(point => `${Math.round(100 * point.figure.value)} % at ${point.budget}`).join(', ')}`).join('; ')}`}>
      {y.ticks(5).map(tick => <g key={tick}><line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)}/><text x={LEFT - 8} y={y(tick) + 4} text-anchor="end">{Math.round(100 * tick)} %</text></g>)}
      {budgets.map(budget => <text key={budget} x={x(budget)} y={HEIGHT - BOTTOM + 18} text-anchor="middle">{short(budget)}</text>)}
      <text x={(LEFT + WIDTH) / 2} y={HEIGHT - 3} text-anchor="middle" class="axis">budget in tokens</text>
      {series.map((each, index) => <g key={each.name} class={`series-${index % 6}`}>
        <path class="band" d={band(each.points) ?? ''}/><path class="curve" d={path(each.points) ?? ''}/>
        {each.points.map(point => <circle key={point.budget} cx={x(point.budget)} cy={y(point.figure.value)} r="4"><title>{`${each.name}, ${point.budget}: ${(100 * point.figure.value).toFixed(1)} % (${(100 * point.figure.low).toFixed(1)}–${(100 * point.figure.high).toFixed(1)})`}</title></circle>)}
      </g>)}
    </svg>
    <figcaption><ul class="legend">{series.map((each, index) => <li key={each.name}><span class={`dot series-${index % 6}`}/>{each.name}</li>)}</ul></figcaption>
  </figure>;
}
