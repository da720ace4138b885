import type { Facts, Flow } from '../engine/flow.js';
import { listOfResult } from '../engine/screen-options.js';
import { EngineHandset, resultsOf, UnansweredError, UnplayableError } from './engine-handset.js';
import { itemsShown } from './items-shown.js';
import type { Answer, RecordedExchanges } from './transcript.js';

/** The answers before each screen; or the index of the first exchange without answers, from 0, with the reason. */
export type Found =
  | { readonly answers: Answers; readonly at?: never }
  | { readonly at: number; readonly reason: string };
type Answers = readonly (readonly Answer[])[];

/** Placeholders for unknown values. Each is one septet in any text, and flows do not use them. */
const unknowns = [...'ΔΦΓΛΩΠΨΣΘΞ'];

/** The most attempts to play a recording. */
const mostPlays = 300;

/**
 * Finds the answers of back ends with which a session goes as recorded: results are tried in turn, and facts are read from the screens
 * that show them. Pure.
 */
export function findAnswers(recorded: RecordedExchanges, flow: Flow, facts: Facts): Found {
  let plays = 0;
  return find(recorded.map(() => []));

  function find(answers: Answers): Found {
    const stopped = play(recorded, answers, new EngineHandset(flow, facts));
    plays += 1;
    if (stopped === undefined) return { answers: answers.map((before) => before.map(withoutUnknown)) };
    if (plays >= mostPlays) return { at: stopped.at, reason: 'too many answers would have to be tried' };
    if ('values' in stopped) return find(fill(answers, stopped.values));
    return 'unanswered' in stopped ? tryEach(answers, stopped.at, stopped.unanswered) : stopped;
  }

  function tryEach(answers: Answers, at: number, { operationName, operation, message }: UnansweredError): Found {
    let furthest: Found = { at, reason: message };
    const free = unknowns.filter((unknown) => !JSON.stringify(answers).includes(unknown));
    for (const result of resultsOf(operation).toReversed()) {
      const names = Object.keys(operation.results[result] ?? {});
      const values = Object.fromEntries(names.map((name, index) => [name, free[index] ?? '-']));
      const answer = { operation: operationName, result, facts: values };
      const list = listOfResult(operation, result);
      const tries =
        list === undefined
          ? [answer]
          : itemsShown({ recorded: recorded, at }, flow, list, free.slice(names.length)).map((items) => ({
              ...answer,
              lists: { [list.name]: items },
            }));
      for (const answer of tries) {
        const found = find(answers.map((before, index) => (index === at ? [...before, answer] : before)));
        if (found.at === undefined) return found;
        if (found.at > furthest.at) furthest = found;
      }
    }
    return furthest;
  }
}

/** Where playing stops: an answer is missing, values are unknown, or the screen differs. */
type Stopped = { readonly at: number } & (
  | { readonly unanswered: UnansweredError }
  | { readonly values: ReadonlyMap<string, string> }
  | { readonly reason: string }
);

function play(recorded: RecordedExchanges, answers: Answers, handset: EngineHandset): Stopped | undefined {
  for (const [at, { typed, dials, message, closes }] of recorded.entries()) {
    try {
      const before = answers[at] ?? [];
      const shown = dials ? handset.dial(before) : handset.type(typed, before);
      if (shown.message === message && shown.closes === closes) continue;
      const values = shown.closes === closes ? readOff(shown.message, message) : undefined;
      return values === undefined
        ? { at, reason: `on a phone that is new it shows "${firstLine(shown.message)}"` }
        : { at, values };
    } catch (error) {
      if (error instanceof UnansweredError) return { at, unanswered: error };
      if (error instanceof UnplayableError) return { at, reason: error.message };
      throw error;
    }
  }
  return undefined;
}

/** The values of the placeholders on a screen, if another screen is equal otherwise. */
function readOff(shown: string, seen: string): ReadonlyMap<string, string> | undefined {
  const named = unknowns.filter((unknown) => shown.includes(unknown));
  if (named.length === 0) return undefined;
  const met = new Set<string>();
  const pattern = [...shown].map((character) => {
    const index = named.indexOf(character);
    if (index < 0) return character.replace(/[.*+?^${}()|[\]\\]/, '\\$&');
    if (met.has(character)) return `\\k<u${index}>`;
    met.add(character);
    return `(?<u${index}>[^]+?)`;
  });
  const groups = new RegExp(`^${pattern.join('')}$`).exec(seen)?.groups;
  return groups && new Map(named.map((unknown, index) => [unknown, groups[`u${index}`] ?? '']));
}

function fill(answers: Answers, values: ReadonlyMap<string, string>): Answers {
  const filled = (facts: Facts) => mapValues(facts, (value) => values.get(value) ?? value);
  return answers.map((before) =>
    before.map(({ facts, lists, ...answer }) => ({
      ...answer,
      facts: filled(facts),
      ...(lists && { lists: mapValues(lists, (items) => items.map(filled)) }),
    })),
  );
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

/** Facts that no screen showed are omitted; an item keeps all of its fields. */
function withoutUnknown({ facts, lists, ...answer }: Answer): Answer {
  const shown = Object.entries(facts).filter(([, value]) => !unknowns.includes(value) && value !== '-');
  const known = (item: Facts) => mapValues(item, (value) => (unknowns.includes(value) ? '-' : value));
  return {
    ...answer,
    facts: Object.fromEntries(shown),
    ...(lists && { lists: mapValues(lists, (items) => items.map(known)) }),
  };
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}
