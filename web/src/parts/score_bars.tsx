// A score as the sum of its parts, each a bar: to the right what speaks for it, to the left what speaks against.
import {score} from '../words';

export function ScoreBars({total, components}: {total: number; components: Record<string, number>}) {
  const rows = Object.entries(components).filter(([, value]) => value !== 0).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const most = Math.max(1e-9, ...rows.map(([, value]) => Math.abs(value)));
  return <table class="score-bars">
    <caption>Score {score(total)}</caption>
    <tbody>
      {rows.map(([name, value]) => <tr key={name}>
        <th scope="row">{name.replaceAll('_', ' ')}</th>
        <td class="bar-cell"><span class={`bar ${value < 0 ? 'against' : ''}`} style={{width: `${Math.max(1, 100 * Math.abs(value) / most)}%`}}/></td>
        <td class="figure">{score(value)}</td>
      </tr>)}
      {rows.length === 0 && <tr><td>It has no components.</td></tr>}
    </tbody>
  </table>;
}
