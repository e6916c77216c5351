// The notes: every entry, and how often the last packets showed it.
import {useState} from 'preact/hooks';
import type {NoteEntry, Notes} from '../api';
import {useAsk} from '../ask';
import {Empty, Shown} from '../parts/states';
import {ago, counted, grouped} from '../words';

function Entry({entry, packets, always}: {entry: NoteEntry; packets: number; always: boolean}) {
  const share = (count: number) => `${packets === 0 ? 0 : 100 * count / packets}%`;
  const said = always ? 'in every packet' : packets === 0 ? 'no packet yet' : `${grouped(entry.full + entry.reduced)} of ${counted(packets, 'packet')}`;
  return <li class="note">
    <details>
      <summary>
        <span class="note-title">{entry.title}</span>
        <span class="used" title={always ? '' : `in full ${entry.full}, shortened ${entry.reduced}, left out ${entry.left_out}`}>
          <span class="usage-bar small" aria-hidden="true"><span class="notes" style={{width: always ? '100%' : share(entry.full)}}/><span class="notes pale" style={{width: share(entry.reduced)}}/></span>
          <small>{said}{entry.last && `, last ${ago(entry.last)}`}</small>
        </span>
      </summary>
      {entry.text && <pre>{entry.text}</pre>}
      {entry.tokens > 0 && <small>{counted(entry.tokens, 'token')}</small>}
    </details>
  </li>;
}

export function NotesView() {
  const asked = useAsk<Notes>('/v1/notes');
  const [words, setWords] = useState('');
  const absent = <Empty title="There are no project notes here yet.">They are Markdown files in <code>.context/</code>: CONSTITUTION.md, TASKS.md, DECISIONS.md.</Empty>;
  return <Shown asked={asked} what="Reading the notes" absent={absent}>{notes => {
    const wanted = words.trim().toLowerCase();
    const sections = notes.sections.map(section => ({...section, entries: section.entries.filter(entry => `${entry.title} ${entry.text}`.toLowerCase().includes(wanted))})).filter(section => section.entries.length > 0);
    return <>
      <div class="filters"><input type="search" placeholder="Find in the notes…" aria-label="Find in the notes" value={words} onInput={event => setWords(event.currentTarget.value)}/>
        <p class="facts-line">{notes.packets > 0 ? `How often the last ${counted(notes.packets, 'packet')} showed each entry` : 'No packet has used them yet'}</p></div>
      {notes.notices.map(line => <p key={line} class="warning">{line}</p>)}
      {sections.length === 0 ? <Empty title={wanted ? 'No note matches.' : 'There are no notes.'}>{!wanted && <>They are Markdown files in <code>.context/</code>.</>}</Empty> :
        <div class="notes-list">{sections.map(section => <section key={section.heading} class="card"><h2>{section.heading} <b>{grouped(section.entries.length)}</b></h2>
          <ul>{section.entries.map((entry, index) => <Entry key={entry.id || index} entry={entry} packets={notes.packets} always={section.always}/>)}</ul></section>)}</div>}
    </>;
  }}</Shown>;
}
