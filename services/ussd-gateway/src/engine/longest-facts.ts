import { callerFactsAtMost } from './caller-facts.js';
import type { ListField } from './declared-list.js';
import type { Facts, Flow } from './flow.js';
import { listsOf } from './list.js';

/**
 * The facts that come up in a flow at their longest: what may be typed, and what operations tell, the fields of their lists included. As many sets of them as it takes for each
 * longest value to be in one.
 */
export function longestFacts(flow: Flow): readonly Facts[] {
  const longest = new Map(Object.entries(callerFactsAtMost).map(([name, value]) => [name, new Set<string>([value])]));
  const add = (name: string, values: readonly string[]) =>
    longest.set(name, new Set([...(longest.get(name) ?? []), ...values]));
  for (const screen of Object.values(flow.screens)) {
    if (screen.kind === 'entry' && !screen.entry.secret) add(screen.entry.name, screen.entry.longest);
  }
  for (const { results } of Object.values(flow.operations ?? {})) {
    for (const gives of Object.values(results)) for (const [name, values] of Object.entries(gives)) add(name, values);
  }
  for (const { fields } of listsOf(flow).values())
    for (const [name, field] of Object.entries(fields)) add(name, longestOf(field));
  const lists = [...longest].map(([name, values]) => ({ name, values: [...values] }));
  const most = Math.max(...lists.map(({ values }) => values.length));
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(lists.map(({ name, values }) => [name, values[index % values.length] ?? ''])),
  );
}

/** Texts of so many characters at their longest: in one word and in many, and outside of the GSM alphabet. */
export function longestTexts(chars: number): readonly string[] {
  return ['W'.repeat(chars), 'Word '.repeat(chars).slice(0, chars), 'ŵ'.repeat(chars)];
}

/** The values of a field at their longest: each word where it is one of some. */
export function longestOf({ kind, chars, words = [] }: ListField): readonly string[] {
  if (kind === 'word') return words;
  return kind === 'amount' ? ['9'.repeat(chars)] : longestTexts(chars);
}
