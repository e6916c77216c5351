// Shown to who has no session: asks for the server's token.
import {useState} from 'preact/hooks';
import {openSession} from '../session';

export function Door() {
  const [token, setToken] = useState('');
  const [said, setSaid] = useState('');
  const enter = async (event: Event) => {
    event.preventDefault();
    setSaid('');
    try {
      if (!await openSession(token.trim())) setSaid('The server does not take this token.');
    } catch {
      setSaid('The server does not answer.');
    }
  };
  return <main class="door">
    <form onSubmit={enter}>
      <img src="/icon.svg" alt="" width="48" height="48"/>
      <h1>Knapsack</h1>
      <p>This server asks for its token. Start <code>knapsack ui</code> to be let in without typing, or paste the token of <code>~/.local/state/knapsack/token</code>.</p>
      <label for="token">Token</label>
      <input id="token" type="password" autocomplete="off" value={token} onInput={event => setToken(event.currentTarget.value)} aria-describedby="token-said"/>
      <div id="token-said" class="said" role="alert">{said}</div>
      <button type="submit" class="main" disabled={token.trim() === ''}>Look inside</button>
    </form>
  </main>;
}
