// What stands where there is nothing to show yet: loading, empty, failed.
import type {ComponentChildren} from 'preact';
import {Refused} from '../api';

export function Loading({what}: {what: string}) {
  return <div class="state" role="status"><span class="spinner" aria-hidden="true"/>{what}…</div>;
}

export function Empty({title, children}: {title: string; children?: ComponentChildren}) {
  return <div class="state empty"><strong>{title}</strong>{children && <div>{children}</div>}</div>;
}

export function Failed({error, again}: {error: Refused; again?: () => void}) {
  return <div class="state failed" role="alert">
    <strong>{error.message}</strong>
    {error.next && <div>{error.next}</div>}
    {again && <button type="button" class="quiet" onClick={again}>Try again</button>}
  </div>;
}

// One of the three, or what there is. `absent` stands where the server knows of none, which is no failure.
export function Shown<Reply>({asked, what, absent, children}: {
  asked: {reply: Reply | null; loading: boolean; error: Refused | null; again: () => void};
  what: string;
  absent?: ComponentChildren;
  children: (reply: Reply) => ComponentChildren;
}) {
  if (asked.error?.status === 404 && absent) return <>{absent}</>;
  if (asked.error) return <Failed error={asked.error} again={asked.again}/>;
  if (asked.reply === null) return <Loading what={what}/>;
  return <>{children(asked.reply)}</>;
}
