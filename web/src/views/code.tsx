// Code: the repository at a glance, a search over it, and one file with everything around it.
import {useState} from 'preact/hooks';
import type {Counted, Hits, Overview} from '../api';
import {useAsk, useSettled} from '../ask';
import {go, link} from '../router';
import {Empty, Shown} from '../parts/states';
import {VirtualList} from '../parts/virtual_list';
import {ago, counted, fileName, folderName, grouped, minute, short} from '../words';
import {FileView} from './file';

function Ranking({title, files, unit}: {title: string; files: Counted[]; unit: string}) {
  const most = Math.max(1, ...files.map(file => file.count));
  return <section class="card ranking">
    <h2>{title}</h2>
    {files.length === 0 ? <p class="hint">None.</p> :
      <ol>{files.slice(0, 12).map(file => <li key={file.path}>
        <a href={link('code', 'file', file.path)} title={file.path}><span class="path">{fileName(file.path)} <small>{folderName(file.path)}</small></span></a>
        <span class="meter" aria-hidden="true"><span style={{width: `${100 * file.count / most}%`}}/></span>
        <b title={`${grouped(file.count)} ${unit}`}>{short(file.count)}</b>
      </li>)}</ol>}
  </section>;
}

function Languages({overview}: {overview: Overview}) {
  const all = overview.languages.reduce((sum, each) => sum + each.lines, 0) || 1;
  return <section class="card languages">
    <h2>Languages</h2>
    <div class="stack" aria-hidden="true">{overview.languages.map((each, index) => <span key={each.language} class={`hue-${index % 8}`} style={{width: `${100 * each.lines / all}%`}}/>)}</div>
    <ul>{overview.languages.slice(0, 10).map((each, index) => <li key={each.language}><span class={`dot hue-${index % 8}`}/>{each.language} <b>{short(each.lines)} lines</b> <small>{counted(each.files, 'file')}<span class="if-room">, {short(each.tokens)} tokens</span></small></li>)}</ul>
  </section>;
}

// A row has room for one line: the one that opens the definition, without its number.
function firstLine(snippet: string) {
  return snippet.split('\n', 1)[0].replace(/^\s*\d+ +/, '');
}

function Found({query}: {query: string}) {
  const asked = useAsk<Hits>('/v1/preview/search', {query, sources: ['code'], limit: 200});
  return <Shown asked={asked} what="Searching">{reply => reply.hits.length === 0 ? <Empty title="Nothing in the code matches."/> : <>
    <p class="facts-line" role="status">{counted(reply.found, 'match', 'matches')}</p>
    <VirtualList rows={reply.hits} height={52} label="What matches" class="found" choose={hit => go('code', 'file', hit.path, hit.line)}
      render={hit => <><span class="name"><b title={hit.path}>{fileName(hit.path)}{hit.line > 0 && `:${hit.line}`} <small>{folderName(hit.path)}</small></b><small>{firstLine(hit.snippet) || hit.title}</small></span></>}/>
  </>}</Shown>;
}

function OverviewPage() {
  const asked = useAsk<Overview>('/v1/code/overview', {refresh: true});
  return <Shown asked={asked} what="Reading the code">{overview => <>
    <div class="tiles">
      <div class="tile"><b>{grouped(overview.files)}</b>files</div>
      <div class="tile"><b>{grouped(overview.sources)}</b>read as source</div>
      <div class="tile"><b>{grouped(overview.test_files)}</b>tests</div>
      <div class="tile"><b>{short(overview.languages.reduce((sum, each) => sum + each.tokens, 0))}</b>tokens in all</div>
      <div class="tile"><b>{ago(overview.indexed)}</b>indexed</div>
    </div>
    <div class="cards">
      <Languages overview={overview}/>
      <Ranking title="Most imported" files={overview.most_imported} unit="importers"/>
      <Ranking title="Biggest, in tokens" files={overview.biggest} unit="tokens"/>
      <Ranking title="Most changed" files={overview.most_changed} unit="commits"/>
      <section class="card"><h2>Latest commits</h2>
        {overview.recent.length === 0 ? <p class="hint">There is no history here.</p> :
          <ul class="commits">{overview.recent.map(each => <li key={each.id}><b>{each.subject}</b><small><code>{each.id.slice(0, 8)}</code> {each.author}, <time dateTime={each.time} title={minute(each.time)}>{ago(each.time)}</time></small></li>)}</ul>}
      </section>
    </div>
  </>}</Shown>;
}

export function CodeView({route}: {route: string[]}) {
  const [words, setWords] = useState('');
  const query = useSettled(words.trim());
  const file = route[0] === 'file' ? route[1] ?? '' : '';
  return <>
    <div class="page-head">
      <h1>{file ? <a href={link('code')}>Code</a> : 'Code'}</h1>
      <input type="search" placeholder="Search the code…" aria-label="Search the code" value={words} onInput={event => { setWords(event.currentTarget.value); if (file) go('code'); }}/>
    </div>
    {file ? <FileView key={file} path={file} line={Number(route[2] ?? 0)}/> : query ? <Found query={query}/> : <OverviewPage/>}
  </>;
}
