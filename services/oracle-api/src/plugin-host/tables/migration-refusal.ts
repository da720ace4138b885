import { mayBeCalled } from './computing-functions.js';
import { queryRefusal } from './query-refusal.js';
import { type SqlToken, sqlTokens } from './statement-tokens.js';

/** Before a bracket in what makes tables, beside what may be called. */
const declaring = new Set('key unique check identity include btree gin gist hash brin'.split(' '));

/** Words that would lead a table to what is not the plugin's. */
const leading = new Set(
  'like inherits inherit partition select from table into execute tablespace exclude with'.split(' '),
);

/** The one table beside its own that a plugin's rows may belong to, so that they go with it: for those that need `sessions:read`. */
const sessions = 'sessions ( owner_did , session_id ) on delete cascade';

export interface MigrationRights {
  readonly own: ReadonlySet<string>;
  /** Whether its rows may belong to sessions. */
  readonly ofSessions: boolean;
}

/** The table that a statement makes, if that is what it does. Pure. */
export function tableMadeBy(sql: string): string | undefined {
  const words = withoutChoice(sqlTokens(sql) ?? []);
  return words[0]?.text === 'create' && words[1]?.text === 'table' ? words[2]?.text : undefined;
}

/** Why a plugin may not run a statement as a step of its migrations; undefined where it touches nothing but its own tables. Pure. */
export function migrationRefusal(sql: string, rights: MigrationRights): string | undefined {
  const tokens = withoutChoice(sqlTokens(sql) ?? []);
  const texts = tokens.map(({ text }) => text);
  const isOwn = (at: number) => rights.own.has(texts[at] ?? '') && texts[at + 1] !== '.';
  const rest = bodyAt(texts);
  if (rest === undefined) return queryRefusal(sql, rights.own);
  if (!isOwn(rest - 1)) return `"${texts[rest - 1] ?? ''}" is no table of its own`;
  const head = texts.slice(0, 2).join(' ');
  if (head === 'drop table') return rest === texts.length ? undefined : 'it drops more than one table';
  if (head === 'create table' && closingOf(texts, rest) !== texts.length - 1) return 'it says more than its columns';
  if (head === 'alter table') {
    const wrong = actionsFrom(texts, rest).find(([verb, what]) => !isOwnAction(verb, what));
    if (wrong !== undefined) return `it says ${wrong.join(' ')}`;
  }
  return problemIn(tokens, rest, rights);
}

/** Where what comes after the name of the table begins; undefined for a statement that makes, changes or drops none. */
function bodyAt(texts: readonly string[]): number | undefined {
  const [verb, what] = texts;
  if (['create', 'alter', 'drop'].includes(verb ?? '') && what === 'table') return 3;
  const index = texts.indexOf('index');
  const isIndex = verb === 'create' && (index === 1 || (index === 2 && what === 'unique'));
  return isIndex && texts[index + 2] === 'on' ? index + 4 : undefined;
}

function isOwnAction(verb: string | undefined, what: string | undefined): boolean {
  if (verb === 'rename') return what === 'column' || what === 'constraint';
  return ['add', 'drop', 'alter', 'validate'].includes(verb ?? '');
}

/** The first two words of each action of `alter table`. */
function actionsFrom(texts: readonly string[], from: number): (readonly [string | undefined, string | undefined])[] {
  let depth = 0;
  const starts = texts.flatMap((text, at) => {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    return at === from ? [at] : text === ',' && depth === 0 && at > from ? [at + 1] : [];
  });
  return starts.map((at) => [texts[at], texts[at + 1]]);
}

function closingOf(texts: readonly string[], from: number): number {
  let depth = 0;
  return texts.findIndex((text, at) => {
    if (at >= from && text === '(') depth += 1;
    if (at >= from && text === ')') depth -= 1;
    return at >= from && depth === 0;
  });
}

function problemIn(
  tokens: readonly SqlToken[],
  from: number,
  { own, ofSessions }: MigrationRights,
): string | undefined {
  const texts = tokens.map(({ text }) => text);
  for (let at = from; at < tokens.length; at += 1) {
    const [text = '', next] = [texts[at], texts[at + 1]];
    if (tokens[at]?.kind === 'value' || tokens[at]?.kind === 'sign') continue;
    const isReferred = texts[at - 1] === 'references';
    if (isReferred && (!own.has(text) || next === '.')) {
      const isOfSession = texts.slice(at, at + 9).join(' ') === sessions;
      if (!ofSessions || !isOfSession) return `"${text}" is no table of its own`;
    }
    if (next === '(' && !isReferred && !mayBeCalled(text) && !declaring.has(text)) return `it calls ${text}`;
    // Of a time zone, and of the first number of a sequence.
    const isHarmless = text === 'with' && (next === 'time' || texts[at - 1] === 'start');
    if (tokens[at]?.kind === 'word' && leading.has(text) && !isHarmless) return `it says ${text}`;
  }
  return undefined;
}

/** Without `if exists` and `if not exists`. */
function withoutChoice(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const at = tokens.findIndex(({ kind, text }) => kind === 'word' && text === 'if');
  if (at < 0 || at > 3) return tokens;
  const length = tokens[at + 1]?.text === 'not' ? 3 : 2;
  return tokens.toSpliced(at, length);
}
