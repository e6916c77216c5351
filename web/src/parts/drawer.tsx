// A panel over the right of the page, for one thing looked at closely. Escape closes it; what had the focus gets it back.
import type {ComponentChildren} from 'preact';
import {useLayoutEffect, useRef} from 'preact/hooks';
import {cellOf} from './treemap';

// What was chosen may have been drawn anew meanwhile.
function giveFocusBack(to: HTMLElement) {
  const again = to.isConnected ? to : to.dataset.part ? cellOf(document, to.dataset.part) : null;
  again?.focus();
}

export function Drawer({title, close, children}: {title: ComponentChildren; close: () => void; children: ComponentChildren}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the page is painted, so that no key goes to what is behind the panel.
  useLayoutEffect(() => {
    const element = dialog.current!;
    const before = document.activeElement as HTMLElement;
    element.showModal();
    return () => {
      element.close();
      giveFocusBack(before);
      // The change that closed the panel may itself draw the place anew, or take it away: the content is then the place to go on.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) giveFocusBack(before);
        if (document.activeElement === document.body) document.getElementById('main')?.focus();
      });
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
