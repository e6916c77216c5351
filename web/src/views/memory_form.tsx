// Remembering something, or correcting what was remembered: the new memory replaces the old one.
import {useState} from 'preact/hooks';
import {ask} from '../api';
import {useAct} from '../ask';
import {Failed} from '../parts/states';

export function MemoryForm({replaces, text: before = '', done, cancel}: {replaces?: string; text?: string; done: (id: string) => void; cancel: () => void}) {
  const [text, setText] = useState(before);
  const [tags, setTags] = useState('');
  const {act, busy, error} = useAct();
  const save = (event: Event) => {
    event.preventDefault();
    void act(async () => {
      const reply = await ask<{id: string}>('/v1/remember', {text, ...(replaces ? {supersedes: [replaces]} : {}),
        ...(tags.trim() ? {tags: tags.split(',').map(each => each.trim()).filter(each => each !== '')} : {})});
      done(reply.id);
    });
  };
  return <form class="memory-form" onSubmit={save}>
    <h2>{replaces ? 'Correct this memory' : 'Remember something'}</h2>
    <label for="memory-text">What shall be remembered? Write it so that it can be understood alone.</label>
    <textarea id="memory-text" rows={6} value={text} onInput={event => setText(event.currentTarget.value)}/>
    {!replaces && <><label for="memory-tags">Tags, with commas between them</label>
    <input id="memory-tags" value={tags} onInput={event => setTags(event.currentTarget.value)}/></>}
    {error && <Failed error={error}/>}
    <div class="actions"><button type="submit" class="main" disabled={busy || text.trim() === '' || text === before}>{replaces ? 'Replace it' : 'Remember'}</button><button type="button" onClick={cancel}>Cancel</button></div>
  </form>;
}
