// Asking from a component: what was asked for, whether it is still coming, what went wrong.
import {useCallback, useEffect, useRef, useState} from 'preact/hooks';
import {ask, Refused} from './api';

export interface Asked<Reply> {
  reply: Reply | null;     // the last one that came; stays while the next is on its way
  loading: boolean;
  error: Refused | null;
  millis: number;          // from asking to having it
  again: () => void;
}

function refusal(error: unknown): Refused {
  return error instanceof Refused ? error : new Refused(0, 'page', String(error), '');
}

// Asks whenever path or body change. At most one question is on its way: of those that come meanwhile only the
// last is asked, so that dragging a slider asks as fast as the server answers and ends with the last position.
export function useAsk<Reply>(path: string | null, body?: unknown): Asked<Reply> {
  const wanted = path === null ? null : JSON.stringify([path, body ?? null]);
  const [state, setState] = useState<Omit<Asked<Reply>, 'again'>>({reply: null, loading: path !== null, error: null, millis: 0});
  const [round, setRound] = useState(0);
  const newest = useRef<string | null>(null);
  const busy = useRef(false);
  const alive = useRef(true);
  useEffect(() => { alive.current = true; return () => { alive.current = false; }; }, []);

  const run = useCallback(async () => {
    if (busy.current) return;
    busy.current = true;
    while (alive.current && newest.current !== null) {
      const question: string = newest.current;
      const [at, what] = JSON.parse(question) as [string, unknown];
      const began = performance.now();
      try {
        const reply = await ask<Reply>(at, what ?? undefined);
        if (newest.current === question) newest.current = null;
        if (alive.current) setState({reply, loading: newest.current !== null, error: null, millis: performance.now() - began});
      } catch (error) {
        if (newest.current === question) newest.current = null;
        if (alive.current) setState(before => ({...before, loading: newest.current !== null, error: refusal(error)}));
      }
    }
    busy.current = false;
  }, []);

  useEffect(() => {
    newest.current = wanted;
    if (wanted === null) {
      setState({reply: null, loading: false, error: null, millis: 0});
      return;
    }
    setState(before => ({...before, loading: true}));
    void run();
  }, [wanted, round, run]);
  return {...state, again: () => setRound(count => count + 1)};
}

// For actions: does it, says what went wrong.
export function useAct(): {act: (what: () => Promise<void>) => Promise<void>; busy: boolean; error: Refused | null} {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Refused | null>(null);
  const act = async (what: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    try { await what(); } catch (problem) { setError(refusal(problem)); }
    setBusy(false);
  };
  return {act, busy, error};
}

// The value once it has stayed the same for a while: for questions as somebody types.
export function useSettled<Value>(value: Value, millis = 120): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), millis);
    return () => clearTimeout(timer);
  }, [value, millis]);
  return settled;
}
