// Numbers and times as people read them.
const GROUPED = new Intl.NumberFormat('en');
const SHORT = new Intl.NumberFormat('en', {notation: 'compact', maximumFractionDigits: 1});
const RELATIVE = new Intl.RelativeTimeFormat('en', {numeric: 'auto'});
const DAY = new Intl.DateTimeFormat('en', {year: 'numeric', month: 'short', day: 'numeric'});
const MINUTE = new Intl.DateTimeFormat('en', {year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hour12: false});

export const grouped = (count: number) => GROUPED.format(count);
export const short = (count: number) => SHORT.format(count);
export const counted = (count: number, one: string, many = one + 's') => `${grouped(count)} ${count === 1 ? one : many}`;
export const tokens = (count: number) => counted(count, 'token');

export function day(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? '' : DAY.format(at);
}

export function minute(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? '' : MINUTE.format(at);
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] =
    [['year', 31536000], ['month', 2592000], ['week', 604800], ['day', 86400], ['hour', 3600], ['minute', 60]];
export function ago(time: string): string {
  const seconds = (new Date(time).getTime() - Date.now()) / 1000;
  if (Number.isNaN(seconds)) return '';
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.round(seconds / size), unit);
  }
  return 'just now';
}

// A score with as many digits as say something.
export function score(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 100 ? value.toFixed(0) : size >= 1 ? value.toFixed(2) : value.toPrecision(2);
}

export function fileName(path: string): string { return path.slice(path.lastIndexOf('/') + 1); }
// What tells a part of the code from its neighbours, where there is no room for all of its name: the file of a path, the member
// of a class ("ParquetReader.advance" → "advance"). `id` begins with the name where that is a file.
export function shortName(name: string, id: string): string {
  if (id.startsWith(name) || name.includes('/')) return fileName(name);
  return /\s/.test(name) ? name : name.replace(/^.*(\.|::|#)(?=[^.:#]+$)/, '');
}
export function folderName(path: string): string { return path.slice(0, path.lastIndexOf('/') + 1); }
