// How it looks: every view in light and dark, wide and narrow, kept as pictures; nobody is kept out of any of them.
import assert from 'node:assert/strict';

// The example workspace: what is shown when the place has been reached.
const PLACES = [
  ['pack', '#/pack', '.treemap .cell'],
  ['runs', '#/runs/1', '.decisions .row'],
  ['compare', '#/runs/1/2', '.change .row'],
  ['memory', '#/memory', '.memories .row'],
  ['memory-one', '#/memory/one/fact-crash-after-restart', '.memory-text'],
  ['code', '#/code', '.ranking li'],
  ['file', '#/code/file/src%2Fparcels%2Fimporter.py', '.file-lines .line'],
  ['graph', '#/graph/node/TG-TASK-RETRY', '.json'],
  ['notes', '#/graph/notes', '.note'],
  ['quality', '#/quality', '.chart'],
];

// What covers its neighbours: cells of the treemap that are larger than they were laid out, figures beside their column.
function outgrown() {
  const cells = [...document.querySelectorAll('.treemap .cell')].filter(each => each.offsetWidth > parseFloat(each.style.width) + 1 || each.offsetHeight > parseFloat(each.style.height) + 1);
  const figures = [...document.querySelectorAll('.ranking li b, .tile b')].filter(each => each.scrollWidth > each.clientWidth);
  const names = [...document.querySelectorAll('.import-graph .own')].filter(each => each.getBBox().width > each.parentElement.querySelector('.own-box').getBBox().width);
  return [...cells, ...figures, ...names].map(each => each.outerHTML.slice(0, 200));
}

// Headings that something else lies on, and lists that reach over the next section.
function covered() {
  return [...document.querySelectorAll('h1, h2, h3')].filter(each => {
    if (!each.checkVisibility() || each.closest('.virtual') || each.closest('.unseen')) return false;
    each.scrollIntoView({block: 'center'});
    const box = each.getBoundingClientRect(), at = document.elementFromPoint(box.left + Math.min(8, box.width / 2), box.top + box.height / 2);
    return at !== null && !each.contains(at) && !at.contains(each);
  }).map(each => each.outerHTML.slice(0, 200));
}

// `places` and `task` of another workspace than the example.
export async function looks(browser, page, ui, places = PLACES, task = 'resume an import after a crash', budget = 1500) {
  const session = await page.evaluate(() => localStorage.getItem('knapsack.session'));
  for (const theme of ['light', 'dark']) {
    for (const width of [1280, 360]) {
      const other = await browser.open({width, height: width === 360 ? 740 : 860, theme});
      await other.addInitScript(kept => localStorage.setItem('knapsack.session', kept), session);
      await other.addInitScript(pack => sessionStorage.setItem('knapsack.pack', JSON.stringify(pack)), {task, budget});
      for (const [name, hash, shown] of places) {
        await other.goto(`${ui.url}/${hash}`);
        await other.locator(shown).first().waitFor();
        await other.waitForFunction(() => document.querySelector('.spinner') === null);
        const wider = await other.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wider <= 0, `${name} at ${width}: ${wider} px too wide`);
        assert.deepEqual(await other.evaluate(outgrown), [], `${name} at ${width}: larger than the room it was given`);
        assert.deepEqual(await other.evaluate(covered), [], `${name} at ${width}: a heading is covered`);
        await other.evaluate(() => document.querySelectorAll('*').forEach(each => { if (each.scrollTop > 0) each.scrollTop = 0; }));
        await browser.accessible(other, `${name}, ${theme}, ${width} px`);
        await browser.picture(other, `${name}-${theme}-${width}`);
      }
      assert.deepEqual(other.seen.problems, []);
      await other.context().close();
    }
  }
}
