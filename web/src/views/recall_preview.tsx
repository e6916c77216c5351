// What a prompt would recall, and why: the packet of memories, each with its score.
import {useState} from 'preact/hooks';
import type {Part, RecallAccount} from '../api';
import {useAsk} from '../ask';
import {PacketText} from '../parts/packet_text';
import {PartDetail} from '../parts/part_detail';
import {PartList} from '../parts/part_list';
import {Empty, Shown} from '../parts/states';
import {grouped} from '../words';

export function RecallPreview() {
  const [draft, setDraft] = useState('');
  const [prompt, setPrompt] = useState('');
  const [part, setPart] = useState<Part | null>(null);
  const asked = useAsk<RecallAccount>(prompt ? '/v1/preview/recall' : null, {prompt});
  const submit = (event: Event) => { event.preventDefault(); setPrompt(draft.trim()); };
  return <>
    <form class="recall-form" onSubmit={submit}>
      <h2>What would be recalled?</h2>
      <label for="prompt">What somebody says to the agent</label>
      <textarea id="prompt" rows={2} value={draft} onInput={event => setDraft(event.currentTarget.value)}
        onKeyDown={event => { if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) submit(event); }}/>
      <button type="submit" class="main" disabled={draft.trim() === ''}>Recall</button>
    </form>
    {prompt === '' ? <Empty title="Nothing is counted as recalled: this is only a look."/> :
      <Shown asked={asked} what="Recalling">{account => <>
        <p class="facts-line" role="status">Mode <b>{account.mode.replaceAll('_', ' ')}</b>: {account.rule.replaceAll('_', ' ')} · {grouped(account.used)} of {grouped(account.budget)} tokens</p>
        {account.parts.length === 0 ? <Empty title="Nothing would be recalled."/> : <PartList parts={account.parts} chosen={part?.id ?? ''} choose={setPart} label="Memories that were considered"/>}
        {account.text && <><h3>As it is read</h3><PacketText text={account.text} at=""/></>}
      </>}</Shown>}
    {part && <PartDetail part={part} close={() => setPart(null)}/>}
  </>;
}
