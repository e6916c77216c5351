// Who this page is to the server: a session, opened with a one-time key, with the token, or without either.
//
// The key comes behind the # of the address, where no server sees it, and is taken out of it at once. The session's
// token is worth nothing after the server has stopped.
export interface Session { token: string; csrf: string }

const KEY = 'knapsack.session';
let session: Session | null = read();
const listeners = new Set<(open: boolean) => void>();

function read(): Session | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    if (kept && typeof kept === 'object' && 'token' in kept && 'csrf' in kept) return kept as Session;
  } catch { /* damaged: as good as none */ }
  return null;
}

function keep(opened: Session | null) {
  session = opened;
  if (opened) localStorage.setItem(KEY, JSON.stringify(opened));
  else localStorage.removeItem(KEY);
  for (const each of listeners) each(opened !== null);
}

export function currentSession(): Session | null { return session; }

export function onSession(listener: (open: boolean) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// With a token or a key; without one where the server asks for none. False when it was not let in.
export async function openSession(secret = ''): Promise<boolean> {
  const headers: Record<string, string> = {'Content-Type': 'application/json'};
  if (secret) headers['Authorization'] = `Bearer ${secret}`;
  const response = await fetch('/v1/session', {method: 'POST', headers, body: '{}'});
  if (!response.ok) return false;
  keep(await response.json() as Session);
  return true;
}

// After a refusal: a new one where the server asks for no token; otherwise the page asks for it.
let renewing: Promise<boolean> | null = null;
export function renewSession(): Promise<boolean> {
  renewing ??= openSession().catch(() => false).then(opened => {
    renewing = null;
    if (!opened) keep(null);
    return opened;
  });
  return renewing;
}

// The session that this page starts with.
export async function firstSession(): Promise<boolean> {
  const key = /^#key=([0-9a-f]+)$/.exec(location.hash)?.[1];
  if (key) {
    history.replaceState(null, '', '/#/pack');
    if (await openSession(key)) return true;
  }
  if (session) {
    const response = await fetch('/v1/workspace', {headers: {Authorization: `Bearer ${session.token}`}});
    if (response.ok) return true;
  }
  return renewSession();
}
