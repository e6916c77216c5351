// A file's text with its line numbers; only the lines in sight are in the document.
import {useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';

const LINE = 19;
const CHARACTER = 7.9;  // of the monospace face at 13 px, a little more than it takes

export function FileLines({text, first = 0, last = 0, label}: {text: string; first?: number; last?: number; label: string}) {
  const lines = useMemo(() => (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n'), [text]);
  const widest = useMemo(() => lines.reduce((most, line) => Math.max(most, Math.min(line.length, 400)), 20), [lines]);
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({top: 0, size: 400});
  useLayoutEffect(() => {
    const element = box.current!;
    const look = () => setView({top: element.scrollTop, size: element.clientHeight});
    look();
    element.addEventListener('scroll', look, {passive: true});
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => { element.removeEventListener('scroll', look); observer.disconnect(); };
  }, []);
  useEffect(() => {
    if (first > 0) box.current!.scrollTop = Math.max(0, (first - 4) * LINE);
  }, [text, first]);
  const from = Math.max(0, Math.floor(view.top / LINE) - 10);
  const to = Math.min(lines.length, Math.ceil((view.top + view.size) / LINE) + 10);
  const gutter = String(lines.length).length;
  const shown = [];
  for (let i = from; i < to; ++i) {
    const marked = i + 1 >= first && i + 1 <= last;
    shown.push(<div key={i} class={`line ${marked ? 'marked' : ''}`} style={{top: `${i * LINE}px`}}>
      <span class="number" style={{width: `${gutter + 1}ch`}}>{i + 1}</span><span class="code">{lines[i]}</span>
    </div>);
  }
  return <div ref={box} class="file-lines" tabIndex={0} role="region" aria-label={label}>
    <div style={{height: `${lines.length * LINE}px`, minWidth: `${(widest + gutter + 3) * CHARACTER}px`}}>{shown}</div>
  </div>;
}
