// A panel over the right of the page, for one thing looked at closely. Escape closes it; what had the focus gets it back.
import type {ComponentChildren} from 'preact';
import {useEffect, useRef} from 'preact/hooks';

export function Drawer({title, close, children}: {title: ComponentChildren; close: () => void; children: ComponentChildren}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current!;
    const before = document.activeElement as HTMLElement | null;
    element.showModal();
    return () => {
      element.close();
      before?.focus();
      // A new packet may take away what was chosen, now or with this very change: the content is then the place to go on.
      requestAnimationFrame(() => { if (document.activeElement === document.body) document.getElementById('main')?.focus(); });
    };
  }, []);
  return <dialog ref={dialog} class="drawer" aria-labelledby="drawer-title"
    onCancel={event => { event.preventDefault(); close(); }}
    onClick={event => { if (event.target === dialog.current) close(); }}>
    <div class="drawer-body">
      <header><h2 id="drawer-title">{title}</h2><button type="button" class="quiet" aria-label="Close" onClick={close}>✕</button></header>
      {children}
    </div>
  </dialog>;
}
