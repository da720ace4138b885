import { asciiDigits } from '../engine/ascii-digits.js';
import type { DeclaredList, ListField } from '../engine/declarations.js';
import { longestOf } from '../engine/facts.js';
import { engineKeys, type Facts, type Flow } from '../engine/flow.js';
import { listOn } from '../engine/screen-options.js';
import type { RecordedExchanges } from './transcript.js';

/** The most combinations of words to try. */
const mostCombinations = 32;

/** The value of a field that no screen showed. */
const unseen = ({ kind, words = [] }: ListField) =>
  kind === 'amount' ? '0' : kind === 'word' ? (words[0] ?? '') : '-';

/**
 * Finds the lists that screens can have shown from an exchange on, from the lines of their items. A field that no line prints is `-`, or
 * a placeholder for a chosen item; for a word each possible value is tried.
 *
 * @param unknowns placeholders of one character that no screen contains.
 * @returns none if no screen shows an item.
 */
export function itemsShown(
  { recorded, at }: { readonly recorded: RecordedExchanges; readonly at: number },
  flow: Flow,
  list: DeclaredList,
  unknowns: readonly string[],
): readonly (readonly Facts[])[] {
  const { lines, chosen, isCut } = readLines(recorded.slice(at), patternsOf(flow, list));
  if (lines.size === 0) return [];
  const fields = Object.entries(list.fields);
  const free = [...unknowns];
  const words: { readonly index: number; readonly field: string; readonly words: readonly string[] }[] = [];
  const items = Array.from({ length: Math.max(...lines.keys()) }, (_, index) => {
    const shown = lines.get(index + 1) ?? {};
    const isChosen = chosen.has(index + 1);
    return Object.fromEntries(
      fields.map(([field, declared]) => {
        if (shown[field] !== undefined) return [field, shown[field]];
        if (isChosen && declared.kind === 'word') words.push({ index, field, words: declared.words ?? [] });
        const isText = declared.kind === 'text' || declared.kind === 'id';
        return [field, (isChosen && isText ? free.shift() : undefined) ?? unseen(declared)];
      }),
    );
  });
  // The page ended before an item that does not fit.
  if (isCut) items.push(Object.fromEntries(fields.map(([field, how]) => [field, longestOf(how)[0] ?? ''])));
  return words.reduce<Facts[][]>(
    (lists, { index, field, words: each }) =>
      lists
        .flatMap((one) => each.map((word) => one.with(index, { ...one[index], [field]: word })))
        .slice(0, mostCombinations),
    [items],
  );
}

/** Patterns of the items of a list, in each language. */
function patternsOf(flow: Flow, { name, fields }: DeclaredList): readonly RegExp[] {
  const labels = Object.values(flow.screens).flatMap((screen) => {
    const list = listOn(screen);
    return list?.from === name ? [list.label] : [];
  });
  return Object.values(flow.texts).flatMap((texts) => labels.map((label) => patternOf(texts[label] ?? '', fields)));
}

function patternOf(label: string, fields: DeclaredList['fields']): RegExp {
  const met = new Set<string>();
  const parts = label.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const field = Object.hasOwn(fields, part) ? fields[part] : undefined;
    if (field === undefined || met.has(part)) return '.*?';
    met.add(part);
    return `(?<${part}>${field.kind === 'amount' ? '\\d+(?:\\.\\d+)?' : '.+?'})`;
  });
  return new RegExp(`^(\\d+)\\. ${parts.join('')}$`);
}

/** The items by key, until a key shows another item; and the keys that were typed on them. */
function readLines(exchanges: RecordedExchanges, patterns: readonly RegExp[]) {
  const lines = new Map<number, Facts>();
  const chosen = new Set<number>();
  let isCut = false;
  for (const [index, { message }] of exchanges.entries()) {
    const shown = message.split('\n').flatMap((line): [number, Facts][] => {
      const match = patterns.map((pattern) => pattern.exec(line)).find((one) => one !== null);
      return match === undefined || match === null ? [] : [[Number(match[1]), { ...match.groups }]];
    });
    const isOther = shown.some(([key, item]) => {
      const known = lines.get(key);
      return known !== undefined && JSON.stringify(known) !== JSON.stringify(item);
    });
    const typed = Number(asciiDigits(exchanges[index + 1]?.typed ?? ''));
    if (isOther || (index > 0 && exchanges[index]?.dials === true)) break;
    const last = Math.max(0, ...lines.keys());
    for (const [key, item] of shown) lines.set(key, item);
    if (shown.some(([key]) => key > last)) isCut = message.includes(`\n${engineKeys.more}. `);
    if (shown.some(([key]) => key === typed)) chosen.add(typed);
  }
  return { lines, chosen, isCut };
}
