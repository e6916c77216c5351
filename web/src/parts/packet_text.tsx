// The packet as an agent reads it: its own text, a block a heading. What is in it is shown, never interpreted.
import {useEffect, useMemo, useRef} from 'preact/hooks';

interface Block { heading: string; level: number; lines: string[] }

// Headings inside a fence are lines of a file.
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [{heading: '', level: 0, lines: []}];
  let fence = '';
  for (const line of text.split('\n')) {
    const mark = /^(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark) fence = fence === '' ? mark : line.trim().startsWith(fence) ? '' : fence;
    const found = fence === '' ? /^(#{1,2}) (.*)$/.exec(line) : null;
    if (found) blocks.push({heading: found[2]!, level: found[1]!.length, lines: []});
    else blocks.at(-1)!.lines.push(line);
  }
  return blocks.filter(block => block.heading !== '' || block.lines.some(line => line !== ''));
}

export function PacketText({text, at}: {text: string; at: string}) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (at === '') return;
    const index = blocks.findIndex(block => block.heading === at);
    const block = index < 0 ? null : box.current?.children[index] as HTMLElement | undefined;
    if (block) box.current!.scrollTo({top: block.offsetTop - box.current!.offsetTop - 8});
  }, [at, blocks]);
  return <div ref={box} class="packet-text" tabIndex={0} role="region" aria-label="The packet as it is read">
    {blocks.map((block, index) => <section key={index} class={block.heading === at && at !== '' ? 'at' : ''}>
      {block.heading && <h3 class={`level-${block.level}`}><span aria-hidden="true">{'#'.repeat(block.level)} </span>{block.heading}</h3>}
      <pre>{block.lines.join('\n').replace(/^\n+|\n+$/g, '')}</pre>
    </section>)}
  </div>;
}
