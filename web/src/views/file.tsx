// One file: its outline, who imports it and what it imports, its tests, its history, its text.
import {useState} from 'preact/hooks';
import type {CodeFile, Near} from '../api';
import {useAsk} from '../ask';
import {link} from '../router';
import {FileLines} from '../parts/file_lines';
import {ImportGraph} from '../parts/import_graph';
import {Shown} from '../parts/states';
import {ago, counted, grouped, minute, shortName} from '../words';

function Links({title, files}: {title: string; files: Near[]}) {
  return files.length === 0 ? null : <section class="card"><h2>{title}</h2>
    <ul class="plain">{files.map(each => <li key={each.path}><a href={link('code', 'file', each.path)}>{each.path}</a>{each.confidence < 1 && <small> {Math.round(100 * each.confidence)} % sure</small>}</li>)}</ul></section>;
}

export function FileView({path, line}: {path: string; line: number}) {
  const asked = useAsk<CodeFile>('/v1/code/file', {path});
  const [at, setAt] = useState<[number, number]>([line, line]);
  return <Shown asked={asked} what="Reading the file">{file => <>
    <header class="file-head"><h2>{file.path}</h2><p class="facts-line">{file.language || file.class} · {counted(file.lines, 'line')} · {grouped(file.tokens)} tokens</p></header>
    <div class="file-columns">
      <div class="file-side">
        <section class="card"><h2>Outline</h2>
          {file.symbols.length === 0 ? <p class="hint">It defines nothing that is known.</p> :
            <ul class="outline">{file.symbols.map((symbol, index) => <li key={index} style={{'--depth': symbol.depth}}>
              <button type="button" title={symbol.signature} onClick={() => setAt([symbol.first_line, symbol.last_line])}><span class="kind">{symbol.kind}</span> {symbol.depth > 0 ? shortName(symbol.name, '') : symbol.name} <small>{symbol.first_line}</small></button></li>)}</ul>}
        </section>
        <section class="card"><h2>Imports, both ways</h2><ImportGraph path={file.path} imports={file.imports ?? []} importers={file.importers ?? []}/></section>
        <Links title="Its tests" files={file.tests ?? []}/>
        <Links title="What it tests" files={file.subjects ?? []}/>
        {(file.changed_with ?? []).length > 0 && <section class="card"><h2>Changed together with</h2><ul class="plain">{file.changed_with!.map(each => <li key={each.path}><a href={link('code', 'file', each.path)}>{each.path}</a> <small>{counted(each.count, 'commit')}</small></li>)}</ul></section>}
        <section class="card"><h2>History</h2>
          {(file.commits ?? []).length === 0 ? <p class="hint">No commit that is known changed it.</p> :
            <ul class="commits">{file.commits!.map(each => <li key={each.id}><b>{each.subject}</b><small><code>{each.id.slice(0, 8)}</code> {each.author}, <time dateTime={each.time} title={minute(each.time)}>{ago(each.time)}</time></small></li>)}</ul>}
        </section>
      </div>
      <section class="file-text" aria-label="Text">
        {file.unreadable ? <p class="hint">{file.unreadable}</p> : <FileLines text={file.text} first={at[0]} last={at[1]} label={`Lines of ${file.path}`}/>}
        {file.cut && <p class="hint">Only the first megabyte is shown.</p>}
      </section>
    </div>
  </>}</Shown>;
}
