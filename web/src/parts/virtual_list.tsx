// A list of any length: only the rows in sight are in the document. One stop of the tab key; arrows move in it.
import type {ComponentChildren} from 'preact';
import {useEffect, useId, useLayoutEffect, useRef, useState} from 'preact/hooks';

export interface VirtualListProps<Row> {
  rows: Row[];
  height: number;                      // of a row, in pixels
  label: string;
  render: (row: Row, index: number) => ComponentChildren;
  selected?: number;                   // index
  choose?: (row: Row, index: number) => void;
  rowClass?: (row: Row, index: number) => string;
  nearEnd?: () => void;                // the reader is about to reach the end
  class?: string;
}

const OVERSCAN = 6;

export function VirtualList<Row>({rows, height, label, render, selected = -1, choose, rowClass, nearEnd, class: name = ''}: VirtualListProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({top: 0, size: 600});
  const [active, setActive] = useState(selected);
  const id = useId();

  useLayoutEffect(() => {
    const element = box.current!;
    const look = () => setView(before => {
      const top = element.scrollTop, size = element.clientHeight;
      return before.top === top && before.size === size ? before : {top, size};
    });
    look();
    element.addEventListener('scroll', look, {passive: true});
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => { element.removeEventListener('scroll', look); observer.disconnect(); };
  }, []);
  useEffect(() => { if (selected >= 0) setActive(selected); }, [selected]);

  const first = Math.max(0, Math.floor(view.top / height) - OVERSCAN);
  const last = Math.min(rows.length, Math.ceil((view.top + view.size) / height) + OVERSCAN);
  useEffect(() => { if (nearEnd && last >= rows.length - 40) nearEnd(); }, [last, rows.length]);

  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    setActive(next);
    const element = box.current!;
    if (next * height < element.scrollTop) element.scrollTop = next * height;
    else if ((next + 1) * height > element.scrollTop + element.clientHeight) element.scrollTop = (next + 1) * height - element.clientHeight;
  };
  const page = Math.max(1, Math.floor(view.size / height) - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page, Home: 0, End: rows.length - 1};
    const to = steps[event.key];
    if (to !== undefined) { event.preventDefault(); moveTo(to); }
    if ((event.key === 'Enter' || event.key === ' ') && choose && active >= 0 && active < rows.length) {
      event.preventDefault();
      choose(rows[active]!, active);
    }
  };

  const shown = [];
  for (let i = first; i < last; ++i) {
    const row = rows[i]!;
    shown.push(<div key={i} id={`${id}-${i}`} role="option" aria-selected={i === selected} aria-setsize={rows.length} aria-posinset={i + 1}
      class={`row ${i === active ? 'active' : ''} ${i === selected ? 'selected' : ''} ${rowClass?.(row, i) ?? ''}`}
      style={{top: `${i * height}px`, height: `${height}px`}}
      onClick={choose && (() => { setActive(i); choose(row, i); })}>{render(row, i)}</div>);
  }
  return <div ref={box} class={`virtual ${name}`} role="listbox" aria-label={label} tabIndex={0} onKeyDown={onKeyDown}
    {...(active >= first && active < last ? {'aria-activedescendant': `${id}-${active}`} : {})}>
    <div class="virtual-space" role="presentation" style={{height: `${rows.length * height}px`}}>{shown}</div>
  </div>;
}
