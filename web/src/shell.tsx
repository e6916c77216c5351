// What is around every view: the name of the workspace, the way to the other views, light or dark.
import type {ComponentChildren, JSX} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {useAsk} from './ask';
import type {Workspace} from './api';
import {link, useRoute} from './router';
import {applyTheme, currentTheme, type Theme} from './theme';
import {fileName} from './words';
import {CodeView} from './views/code';
import {GraphView} from './views/graph';
import {MemoryView} from './views/memory';
import {PackView} from './views/pack';
import {QualityView} from './views/quality';
import {RunsView} from './views/runs';

interface ViewProps { route: string[]; workspace: Workspace | null }
const VIEWS: {key: string; name: string; icon: ComponentChildren; show: (props: ViewProps) => JSX.Element}[] = [
  {key: 'pack', name: 'Pack', icon: <path d="M6 8V6.500a4 4 0 0 1 8 0V8M4 8h12v9H4zM7.500 12h5"/>, show: ({workspace}) => <PackView workspace={workspace}/>},
  {key: 'runs', name: 'Runs', icon: <path d="M3 5h14M3 10h14M3 15h9"/>, show: ({route}) => <RunsView route={route}/>},
  {key: 'memory', name: 'Memory', icon: <path d="M10 4a6 6 0 1 1-5.200 3M10 7v3.500l2.500 1.500M4.500 3.500v3.500H8"/>, show: ({route}) => <MemoryView route={route}/>},
  {key: 'code', name: 'Code', icon: <path d="M7 6l-4 4 4 4M13 6l4 4-4 4"/>, show: ({route}) => <CodeView route={route}/>},
  {key: 'graph', name: 'Graph', icon: <path d="M6 6l8 2M5.500 7l3 7M13.500 10l-4 4M5 6.200a1.200 1.200 0 1 0 .1 0M15 8.400a1.200 1.200 0 1 0 .1 0M9 15.200a1.200 1.200 0 1 0 .1 0"/>, show: ({route}) => <GraphView route={route}/>},
  {key: 'quality', name: 'Quality', icon: <path d="M3 16h14M5 13l3-4 3 2 4-6"/>, show: () => <QualityView/>},
];
const THEMES: {theme: Theme; next: Theme; sign: string; name: string}[] = [
  {theme: 'system', next: 'light', sign: '◐', name: 'as the system'},
  {theme: 'light', next: 'dark', sign: '○', name: 'light'},
  {theme: 'dark', next: 'system', sign: '●', name: 'dark'},
];

function ThemeSwitch() {
  const [theme, setTheme] = useState(currentTheme());
  const now = THEMES.find(each => each.theme === theme)!;
  return <button type="button" class="quiet theme" title={`Colours: ${now.name}`} aria-label={`Colours: ${now.name}. Change.`}
    onClick={() => { applyTheme(now.next); setTheme(now.next); }}><span aria-hidden="true">{now.sign}</span></button>;
}

export function Shell() {
  const route = useRoute();
  const workspace = useAsk<Workspace>('/v1/workspace');
  const view = VIEWS.find(each => each.key === route[0]) ?? VIEWS[0]!;
  const main = useRef<HTMLElement>(null);
  useEffect(() => { document.title = `${view.name} · Knapsack`; }, [view]);
  return <div class="shell">
    <a class="skip" href="#main" onClick={event => { event.preventDefault(); main.current?.focus(); }}>To the content</a>
    <header class="top">
      <a class="brand" href={link('pack')}><img src="/icon.svg" alt="" width="26" height="26"/><span>Knapsack</span></a>
      <nav aria-label="Views">
        {VIEWS.map(each => <a key={each.key} href={link(each.key)} {...(each === view ? {'aria-current': 'page' as const} : {})}>
          <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">{each.icon}</svg><span>{each.name}</span>
        </a>)}
      </nav>
      <div class="where" title={workspace.reply?.workspace ?? ''}>{fileName(workspace.reply?.workspace ?? '')}</div>
      <ThemeSwitch/>
    </header>
    <main id="main" ref={main} tabIndex={-1} class={`view view-${view.key}`}>{view.show({route: route.slice(1), workspace: workspace.reply})}</main>
  </div>;
}
