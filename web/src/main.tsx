// The page: who may look, where they are, and the view that is shown there.
import './style/base.css';
import './style/parts.css';
import './style/views.css';
import {render} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {Door} from './views/door';
import {Shell} from './shell';
import {firstSession, onSession} from './session';
import {applyTheme, currentTheme} from './theme';
import {Loading} from './parts/states';

function App() {
  const [open, setOpen] = useState<boolean | null>(null);
  useEffect(() => onSession(setOpen), []);
  useEffect(() => { firstSession().then(setOpen, () => setOpen(false)); }, []);
  if (open === null) return <main class="door"><Loading what="Opening"/></main>;
  return open ? <Shell/> : <Door/>;
}

applyTheme(currentTheme());
render(<App/>, document.getElementById('app')!);
