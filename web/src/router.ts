// Where the reader is: the part of the address behind "#/", as decoded pieces.
import {useEffect, useState} from 'preact/hooks';

function pieces(): string[] {
  const path = location.hash.replace(/^#\/?/, '');
  return path === '' ? [] : path.split('/').map(piece => {
    try { return decodeURIComponent(piece); } catch { return piece; }
  });
}

export function link(...names: (string | number)[]): string {
  return '#/' + names.map(name => encodeURIComponent(String(name))).join('/');
}

export function go(...names: (string | number)[]) {
  location.hash = link(...names);
}

export function useRoute(): string[] {
  const [route, setRoute] = useState(pieces);
  useEffect(() => {
    const changed = () => setRoute(pieces());
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return route;
}
