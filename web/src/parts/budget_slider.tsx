// The budget: a slider over three orders of magnitude, and the number itself.
import {grouped} from '../words';

const LEAST = 200, MOST = 128_000, STEPS = 400;

// Two digits that count: nobody asks for 8,137 tokens by hand.
function round(value: number): number {
  const unit = 10 ** Math.max(1, Math.floor(Math.log10(value)) - 1);
  return Math.round(value / unit) * unit;
}
const budgetAt = (step: number) => round(LEAST * (MOST / LEAST) ** (step / STEPS));
const stepOf = (budget: number) => Math.round(STEPS * Math.log(Math.min(MOST, Math.max(LEAST, budget)) / LEAST) / Math.log(MOST / LEAST));

export function BudgetSlider({budget, change}: {budget: number; change: (budget: number) => void}) {
  const step = stepOf(budget);
  // The slider moves as finely as it can; a step that rounds to the same budget is passed over.
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1}[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    let next = step;
    while (next + direction >= 0 && next + direction <= STEPS && budgetAt(next) === budget) next += direction;
    if (budgetAt(next) === budget) next = Math.min(STEPS, Math.max(0, next + direction));
    change(budgetAt(next));
  };
  return <div class="budget">
    <label for="budget">Budget</label>
    <input id="budget" type="range" min={0} max={STEPS} value={step} aria-valuetext={`${grouped(budget)} tokens`}
      style={{'--at': `${100 * step / STEPS}%`}}
      onKeyDown={onKeyDown} onInput={event => change(budgetAt(Number(event.currentTarget.value)))}/>
    <input type="number" class="budget-number" aria-label="Budget in tokens" min={0} max={1_000_000} value={budget}
      onChange={event => { const value = Number(event.currentTarget.value); if (value >= 0 && value <= 1_000_000) change(Math.floor(value)); }}/>
    <span class="unit">tokens</span>
  </div>;
}
