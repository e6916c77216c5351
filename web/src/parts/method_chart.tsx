// A share by method: a bar each, with its interval as a line over it.
import {scaleLinear} from 'd3-scale';
import type {Figure} from '../api';

const WIDTH = 560, ROW = 34, LEFT = 150, RIGHT = 66;

export function MethodChart({rows, label}: {rows: {name: string; figure: Figure}[]; label: string}) {
  if (rows.length === 0) return <p class="hint">This report has no such figure.</p>;
  const x = scaleLinear().domain([0, 1]).range([LEFT, WIDTH - RIGHT]);
  const height = rows.length * ROW + 8;
  return <figure class="chart">
    <svg viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={`${label} by method: ${rows.map(row => `${row.name} ${(100 * row.figure.value).toFixed(1)} %`).join(', ')}`}>
      {[0, 0.25, 0.5, 0.75, 1].map(tick => <line key={tick} class="grid" x1={x(tick)} x2={x(tick)} y1="0" y2={height}/>)}
      {rows.map((row, index) => {
        const top = index * ROW + 8, middle = top + 11;
        return <g key={row.name}>
          <text x={LEFT - 10} y={middle + 4} text-anchor="end">{row.name}</text>
          <rect class="method" x={x(0)} y={top} width={Math.max(1, x(row.figure.value) - x(0))} height="22" rx="3"/>
          <path class="whisker" d={`M${x(row.figure.low)} ${middle}H${x(row.figure.high)}M${x(row.figure.low)} ${middle - 5}v10M${x(row.figure.high)} ${middle - 5}v10`}/>
          <text class="figure" x={WIDTH - RIGHT + 10} y={middle + 4}>{(100 * row.figure.value).toFixed(1)} %</text>
        </g>;
      })}
    </svg>
  </figure>;
}
