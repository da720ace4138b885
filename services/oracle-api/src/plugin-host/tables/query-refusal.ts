import { mayBeCalled } from './computing-functions.js';
import { type SqlToken, sqlTokens } from './statement-tokens.js';

const begins = new Set(['select', 'insert', 'update', 'delete']);

/** What ends the list of tables of a query. Postgres reserves all of them, so none is somebody's name. */
const endsTables = new Set(
  'where group having window order limit offset fetch for union intersect except returning'.split(' '),
);

/**
 * Why a plugin may not run a statement; undefined where it may: one query or one change of rows whose every table is among
 * `own`. It is the text that is judged, as the database will read it, so whatever made the text need not be trusted. Pure.
 */
export function queryRefusal(sql: string, own: ReadonlySet<string>): string | undefined {
  const tokens = sqlTokens(sql);
  if (tokens === undefined) return 'it holds signs that are not read here: comments, escapes, a second statement';
  const first = tokens.find(({ text }) => text !== '(');
  if (first?.kind !== 'word' || !begins.has(first.text)) return 'it is neither a query nor a change of rows';
  return problemIn(tokens, own);
}

function problemIn(tokens: readonly SqlToken[], own: ReadonlySet<string>): string | undefined {
  /** For each bracket that is open whether its list of tables is. */
  const frames = [false];
  for (const index of tokens.keys()) {
    const isTable = namesTable(tokens[index - 1], index);
    const problem =
      signProblem(tokens, index, frames) ??
      (isTable ? tableProblem(tokens, index, own) : undefined) ??
      callProblem(tokens, index, isTable) ??
      wordProblem(tokens, index, frames);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function signProblem(tokens: readonly SqlToken[], index: number, frames: boolean[]): string | undefined {
  const { kind, text } = tokens[index] ?? {};
  if (kind !== 'sign') return undefined;
  if (text === '(') frames.push(false);
  if (text === ')') {
    frames.pop();
    if (frames.length === 0) return 'a bracket is missing';
  }
  return text === ',' && frames.at(-1) === true ? 'tables are joined with join' : undefined;
}

function callProblem(tokens: readonly SqlToken[], index: number, isTable: boolean): string | undefined {
  const { kind, text = '' } = tokens[index] ?? {};
  if (tokens[index + 1]?.text !== '(' || (isTable && tokens[index - 1]?.text === 'into')) return undefined;
  return kind === 'name' || (kind === 'word' && !mayBeCalled(text)) ? `it calls ${text}` : undefined;
}

function wordProblem(tokens: readonly SqlToken[], index: number, frames: boolean[]): string | undefined {
  const { kind, text = '' } = tokens[index] ?? {};
  // After a dot any word is a column's.
  if (kind !== 'word' || tokens[index - 1]?.text === '.') return undefined;
  if (text === 'with' || text === 'table' || (text === 'into' && index !== 1)) return `it says ${text}`;
  if (text === 'using' && tokens[index + 1]?.text !== '(') return 'it says using';
  if (text === 'from') frames[frames.length - 1] = true;
  if (endsTables.has(text)) frames[frames.length - 1] = false;
  return undefined;
}

/** Whether a table is named after `before`. */
function namesTable(before: SqlToken | undefined, index: number): boolean {
  if (before?.kind !== 'word') return false;
  return ['from', 'join', 'into'].includes(before.text) || (index === 1 && before.text === 'update');
}

function tableProblem(tokens: readonly SqlToken[], index: number, own: ReadonlySet<string>): string | undefined {
  let at = index;
  while (tokens[at]?.kind === 'sign' && tokens[at]?.text === '(') at += 1;
  const token = tokens[at];
  if (at > index && token?.kind === 'word' && ['select', 'values'].includes(token.text)) return undefined;
  const isOwn = at === index && token !== undefined && token.kind !== 'value' && own.has(token.text);
  return isOwn && tokens[at + 1]?.text !== '.' ? undefined : `"${token?.text ?? ''}" is no table of its own`;
}
