// One part of a packet: why it is there or not, its score by component, and the file around it.
import {useAsk} from '../ask';
import type {CodeFile, Part} from '../api';
import {link} from '../router';
import {grouped, tokens} from '../words';
import {Drawer} from './drawer';
import {FileLines} from './file_lines';
import {ScoreBars} from './score_bars';
import {Shown} from './states';

export function fate(part: {form: string; tokens: number; full_tokens: number}): string {
  if (!part.form) return `left out; would cost at least ${tokens(part.tokens)}`;
  if (part.form === 'full') return `in full, ${tokens(part.tokens)}`;
  return `as its ${part.form}, ${grouped(part.tokens)} of ${tokens(part.full_tokens)}`;
}

export function PartDetail({part, close}: {part: Part; close: () => void}) {
  const file = useAsk<CodeFile>(part.file ? '/v1/code/file' : null, {path: part.file, text_only: true});
  return <Drawer close={close} title={<><span class={`dot ${part.source}`}/>{part.title}</>}>
    <dl class="facts">
      <dt>Where</dt><dd>{part.file ? <a href={link('code', 'file', part.file)} onClick={close}>{part.file}</a> : part.section}{part.first_line > 0 && `, lines ${part.first_line}–${part.last_line}`}</dd>
      <dt>In the packet</dt><dd>{fate(part)}</dd>
      {part.reason && <><dt>Because</dt><dd>{part.reason}</dd></>}
      {part.why.length > 0 && <><dt>Found as</dt><dd>{part.why.join('; ')}</dd></>}
      <dt>Name</dt><dd><code>{part.id}</code></dd>
    </dl>
    <ScoreBars total={part.score} components={part.components}/>
    {part.file && <section class="around">
      <h3>The file around it</h3>
      <Shown asked={file} what="Reading the file">
        {reply => reply.unreadable ? <p class="hint">{reply.unreadable}</p> : <FileLines text={reply.text} first={part.first_line} last={part.last_line} label={`Lines of ${part.file}`}/>}
      </Shown>
    </section>}
  </Drawer>;
}
