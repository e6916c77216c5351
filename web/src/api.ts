// The server's API as the page uses it: one function that asks, and the shapes of what it answers.
import {currentSession, renewSession} from './session';

export type Source = 'code' | 'notes' | 'memory' | 'graph';
export const SOURCES: Source[] = ['code', 'notes', 'memory', 'graph'];

export interface Part {
  id: string; source: Source; kind: string; title: string; file: string; first_line: number; last_line: number;
  section: string; form: string; tokens: number; full_tokens: number; score: number;
  components: Record<string, number>; reason: string; why: string[];
}
export interface Account {
  status: string; budget: number; used: number; tokenizer: string; over_budget: boolean; behind_stop: number;
  generated: string; warnings: string[]; notices: string[]; text: string;
  preambles: {heading: string; lines: string[]}[]; parts: Part[]; left_out: number;
  times: {step: string; micros: number}[];
}
export interface RecallAccount extends Account { mode: string; rule: string }
export interface Run {
  number: number; run: string; repeat: number; command: string; status: string; used: number; budget: number;
  tokenizer: string; started: string; task_id: string; asked: string;
}
export interface Decision {
  stage: string; source: Source; id: string; title: string; section: string; included: boolean; form: string;
  tokens: number; full_tokens: number; score: number; components: Record<string, number>; reason: string;
}
export interface RunAccount {
  run: Run & {request: unknown}; warnings: string[]; decisions: Decision[]; left_out: number;
}
export interface MemoryRow {
  id: string; category: string; status: string; kind: string; created: string; title: string; importance: number;
  tags: string[];
}
export interface Memories { folder: string; memories: MemoryRow[]; matching: number; all: number; warnings: string[] }
export interface MemoryDetail {
  memory: Record<string, unknown> & {id: string; text: string; status: string; category: string; path: string};
  versions: {id: string; status: string; created: string; text: string}[];
  runs: Run[];
}
export interface Hit {
  source: Source; id: string; path: string; line: number; title: string; snippet: string; score: number;
  components: Record<string, number>;
}
export interface Hits { status: string; hits: Hit[]; found: number; notices: string[] }
export interface Counted { path: string; count: number }
export interface Commit { id: string; time: string; author: string; subject: string }
export interface Overview {
  files: number; sources: number; test_files: number; indexed: string; commit: string;
  languages: {language: string; files: number; lines: number; tokens: number}[];
  folders: {path: string; files: number; lines: number}[];
  biggest: Counted[]; most_imported: Counted[]; most_changed: Counted[]; recent: Commit[];
}
export interface Near { path: string; confidence: number }
export interface CodeFile {
  path: string; language: string; class: string; lines: number; bytes: number; tokens: number;
  symbols: {name: string; kind: string; signature: string; first_line: number; last_line: number; depth: number}[];
  imports?: Near[]; importers?: Near[]; tests?: Near[]; subjects?: Near[]; changed_with?: Counted[];
  commits?: Commit[]; text: string; cut: boolean; unreadable: string;
}
export interface GraphNode {
  id: string; layer: string; type: string; title: string; state: string; updated: string; revisions: number;
}
export interface GraphMap {
  folder: string; nodes: GraphNode[]; edges: {from: number; to: number; kind: string}[]; all: number;
}
export interface NodeDetail {
  id: string; file: string; text: string; revisions: {json: string; latest: boolean; line: number}[];
}
export interface NoteEntry {
  id: string; title: string; text: string; tokens: number; full: number; reduced: number; left_out: number; last: string;
}
export interface Notes {
  packets: number; sections: {heading: string; always: boolean; entries: NoteEntry[]}[]; notices: string[];
}
export interface Workspace {
  workspace: string; version: string; code: string; notes: string; memory: string; graph: string; ledger: string;
  budget: string; tokenizer: string;
}
export interface Figure { value: number; low: number; high: number }
export type FigureTable = {tasks: number} & Record<string, Figure | number>;
export interface EvalReport {
  version: string; tasks: number; set_aside: number; seconds: number; notes: string[];
  methods: Record<string, {overall: FigureTable; micros: {p50: number; p95: number}} & Record<string, unknown>>;
}
export interface Evaluations { reports: {made: string; report: EvalReport}[] }

// What went wrong, in the server's words.
export class Refused extends Error {
  constructor(readonly status: number, readonly code: string, message: string, readonly next: string) {
    super(message);
  }
}

async function send(path: string, body: unknown): Promise<Response> {
  const session = currentSession();
  const headers: Record<string, string> = {};
  if (session) headers['Authorization'] = `Bearer ${session.token}`;
  if (body === undefined) return fetch(path, {headers});
  headers['Content-Type'] = 'application/json';
  if (session) headers['X-Knapsack-CSRF'] = session.csrf;
  return fetch(path, {method: 'POST', headers, body: JSON.stringify(body)});
}

// A GET, or a POST where there is a body.
export async function ask<Reply>(path: string, body?: unknown): Promise<Reply> {
  let response: Response;
  try {
    response = await send(path, body);
    // The server was started anew, or forgot this page: once more with a new session.
    if ((response.status === 401 || response.status === 403) && (await renewSession())) response = await send(path, body);
  } catch {
    throw new Refused(0, 'unreachable', 'The server does not answer.', 'Is `knapsack serve` or `knapsack ui` still running?');
  }
  const reply = await response.json().catch(() => null) as {error?: {code: string; message: string; next: string}} | null;
  if (response.ok && reply !== null) return reply as Reply;
  const error = reply?.error;
  throw new Refused(response.status, error?.code ?? 'unknown', error?.message ?? `The server answered ${response.status}.`, error?.next ?? '');
}
