import { callerFactsAtMost } from './caller-facts.js';
import type { ListField } from './declarations.js';
import { engineTexts, type Facts, type Flow, type Screen, type TextKey } from './flow.js';
import { hoursFacts } from './opening-hours.js';
import { effectsOf, factsSetOn, fieldsOn, listOn, listsOf, optionsOf, transitionsOf } from './screen-options.js';
import { factsOfMessages, placeholdersIn } from './texts.js';

/** Keys of all texts that a screen prints: its lines for every choice, and its options. */
export function printedTexts(screen: Screen): TextKey[] {
  const label = listOn(screen)?.label;
  return label === undefined ? textsApartFromItems(screen) : [...textsApartFromItems(screen), label];
}

function textsApartFromItems(screen: Screen): TextKey[] {
  const lines = screen.lines.flatMap((line) => (typeof line === 'string' ? [line] : Object.values(line.texts)));
  return [...lines, ...optionsOf(screen).flatMap(({ label }) => label ?? [])];
}

/** Facts that a screen prints or that its lines depend on, in any language of the flow, without the fields of its items. */
export function namedFacts(flow: Flow, screen: Screen): string[] {
  const words = screen.lines
    .flatMap((line) => (typeof line === 'string' ? [] : [line.chosenBy]))
    .filter(isItemWord(flow));
  const named = [...words, ...factsIn(flow, [...textsApartFromItems(screen), ...Object.values(engineTexts)])];
  const list = listOn(screen);
  if (list === undefined) return named;
  const fields = fieldsOn(flow, screen);
  return [...named, ...factsIn(flow, [list.label]).filter((name) => !Object.hasOwn(fields, name))];
}

/** Facts required on the way to a screen: those of `namedFacts`, and the list that the screen offers. */
export function neededOn(flow: Flow, screen: Screen): string[] {
  const list = listOn(screen);
  return list === undefined ? namedFacts(flow, screen) : [...namedFacts(flow, screen), list.from];
}

/** Whether a choice is a word of a chosen item and not the choice of a key. */
function isItemWord(flow: Flow) {
  const lists = [...listsOf(flow).values()];
  return (name: string) =>
    lists.some(({ fields }) => Object.hasOwn(fields, name) && fields[name]?.kind === 'word') &&
    !Object.values(flow.screens).some((screen) =>
      optionsOf(screen).some((option) => 'choose' in option && option.choose?.name === name),
    );
}

/** Facts that texts name, in any language of the flow. */
function factsIn(flow: Flow, keys: readonly TextKey[]): string[] {
  return Object.values(flow.texts).flatMap((texts) => keys.flatMap((key) => placeholdersIn(texts[key] ?? '')));
}

/**
 * The facts of a flow with their longest values: typed values, facts of operations, fields of lists. Returns enough
 * sets for each longest value to appear in one.
 */
export function longestFacts(flow: Flow): readonly Facts[] {
  const longest = new Map(Object.entries(callerFactsAtMost).map(([name, value]) => [name, new Set<string>([value])]));
  const add = (name: string, values: readonly string[]) =>
    longest.set(name, new Set([...(longest.get(name) ?? []), ...values]));
  for (const screen of Object.values(flow.screens)) {
    if (screen.kind === 'entry' && !screen.entry.secret) add(screen.entry.name, screen.entry.longest);
  }
  for (const [name, value] of factsOfHours(flow)) add(name, [value]);
  for (const { results } of Object.values(flow.operations ?? {})) {
    for (const facts of Object.values(results)) for (const [name, values] of Object.entries(facts)) add(name, values);
  }
  for (const { fields } of listsOf(flow).values())
    for (const [name, field] of Object.entries(fields)) add(name, longestOf(field));
  const lists = [...longest].map(([name, values]) => ({ name, values: [...values] }));
  const most = Math.max(...lists.map(({ values }) => values.length));
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(lists.map(({ name, values }) => [name, values[index % values.length] ?? ''])),
  );
}

function factsOfHours(flow: Flow): readonly (readonly [string, string])[] {
  const options = Object.values(flow.screens).flatMap(optionsOf);
  return options.flatMap(({ hours }) => (hours === undefined ? [] : Object.entries(hoursFacts(hours))));
}

/** Longest texts of a number of characters: as one word, as many words, and outside of the GSM alphabet. */
export function longestTexts(chars: number): readonly string[] {
  return ['W'.repeat(chars), 'Word '.repeat(chars).slice(0, chars), 'ŵ'.repeat(chars)];
}

/** Longest values of a field; all words of a `word` field. */
export function longestOf({ kind, chars, words = [] }: ListField): readonly string[] {
  if (kind === 'word') return words;
  return kind === 'amount' ? ['9'.repeat(chars)] : longestTexts(chars);
}

/**
 * Facts and lists that each screen keeps: those that it or a later screen prints or takes. All others are dropped on
 * entering the screen, as is a fact that the screen's own entry sets.
 *
 * @param known facts available on every screen.
 */
export function carriedFacts(flow: Flow, known: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const screens = Object.entries(flow.screens);
  const carried = new Map(screens.map(([state, screen]) => [state, new Set(neededBy(flow, screen, known))]));
  // Each round looks one screen further ahead.
  for (let [before, after] = [-1, 0]; before !== after; ) {
    before = after;
    for (const [state, screen] of screens)
      for (const name of neededAhead(flow, screen, carried)) carried.get(state)?.add(name);
    after = [...carried.values()].reduce((sum, { size }) => sum + size, 0);
  }
  return new Map([...carried].map(([state, names]) => [state, [...names]]));
}

/** Facts needed by the next screens that are not set on the way to them. */
function neededAhead(flow: Flow, screen: Screen, carried: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const typed = factsSetOn(flow, screen);
  return transitionsOf(flow, screen).flatMap(({ landing: { to }, sets }) => {
    const names = to === undefined ? [] : [...(carried.get(to) ?? [])];
    return names.filter((name) => !sets.includes(name) && !typed.includes(name));
  });
}

function neededBy(flow: Flow, screen: Screen, known: ReadonlySet<string>): string[] {
  const taken = effectsOf(screen).flatMap(({ effect }) => {
    const { takes = [], mayTake = [] } = flow.operations?.[effect] ?? {};
    return [...takes, ...mayTake];
  });
  const typed = factsSetOn(flow, screen);
  return [...neededOn(flow, screen), ...taken, ...factsOfMessages(flow, screen)].filter(
    (name) => !known.has(name) && !typed.includes(name),
  );
}
