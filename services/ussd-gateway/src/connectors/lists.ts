import { z } from 'zod';
import { missingFact } from '../effects/effect.js';
import { type DeclaredList, type ListField, mostItems } from '../engine/declarations.js';
import type { Facts } from '../engine/flow.js';
import { wholeNumber } from '../entries/entry-kind.js';
import { printable } from './run-query.js';

const name = z.string().regex(/^[A-Za-z]\w{0,59}$/, 'must be a name of letters and digits');
const word = z.string().regex(/^[A-Za-z0-9][\w-]{0,59}$/, 'must be a name of letters and digits');

const field = z
  .union(
    [
      wholeNumber(1, 160),
      z.strictObject({ as: z.enum(['text', 'id', 'amount']), longest: wholeNumber(1, 160) }),
      z.strictObject({ of: z.array(word).min(1).max(20) }),
    ],
    {
      error:
        'must be the most characters of a text, { as: id, longest: 16 }, { as: amount, longest: 9 } or { of: [due, paid] }',
    },
  )
  .describe(
    'The most characters of a text; or an id or an amount, which are passed on unchanged; or one of some words',
  );

/** Settings of a list that a result of an operation returns. */
export const listSettings = z
  .strictObject({
    most: wholeNumber(1, mostItems).describe('Items at most; further ones are not shown'),
    items: z.record(name, field).describe('The fields of an item; those of the chosen one are facts'),
  })
  .describe('A list, which a screen offers by `options: { from: … }`');
type ListSettings = z.output<typeof listSettings>;

export function listOf(listName: string, { most, items }: ListSettings): DeclaredList {
  const fields = Object.entries(items).map(([field, how]): [string, ListField] => {
    if (typeof how === 'number') return [field, { kind: 'text', chars: how }];
    if ('as' in how) return [field, { kind: how.as, chars: how.longest }];
    return [field, { kind: 'word', chars: Math.max(...how.of.map(({ length }) => length)), words: how.of }];
  });
  return { name: listName, most, fields: Object.fromEntries(fields) };
}

/** A list, or the first problem in it; the problem contains no value of the list. */
export type ListRead = { readonly items: readonly Facts[]; readonly surplus: number } | { readonly why: string };

/**
 * Reads a list from a back end. Items beyond the declared maximum are counted and left out; items that are `null` and
 * undeclared fields are left out. A text is one line, cut to its length, and `-` if absent; a field of another kind
 * that is absent, too long or of another type makes the whole list unusable.
 */
export function readList(sent: unknown, { name: list, most, fields }: DeclaredList): ListRead {
  if (!Array.isArray(sent)) return { why: `has no list in "${list}"` };
  const present = sent.map((item, index) => ({ item, index })).filter(({ item }) => item !== null);
  const items: Facts[] = [];
  for (const { item, index } of present.slice(0, most)) {
    if (typeof item !== 'object' || Array.isArray(item))
      return { why: `has no object as item ${index + 1} of "${list}"` };
    const values: [string, string][] = [];
    for (const [field, declared] of Object.entries(fields)) {
      const value = fieldValue(Object.hasOwn(item, field) ? item[field] : undefined, declared);
      if (value === undefined) {
        return { why: `has no ${wanted(declared)} in "${field}" of item ${index + 1} of "${list}"` };
      }
      values.push([field, value]);
    }
    items.push(Object.fromEntries(values));
  }
  return { items, surplus: Math.max(0, present.length - most) };
}

function wanted({ kind, chars, words = [] }: ListField): string {
  if (kind === 'word') return `word of ${words.join(', ')}`;
  return `${kind} of at most ${chars} characters`;
}

/** Undefined for a value that does not match its declaration. */
function fieldValue(sent: unknown, { kind, chars, words = [] }: ListField): string | undefined {
  if ((sent === undefined || sent === null) && kind === 'text') return missingFact;
  const text = textOf(sent);
  if (text === undefined) return undefined;
  if (kind === 'text') return cut(text, chars) || missingFact;
  if (kind === 'word') return words.includes(text) ? text : undefined;
  if (text.length > chars) return undefined;
  if (kind === 'amount') return /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text) ? text : undefined;
  return text !== '' && printable(text, chars) === text ? text : undefined;
}

/** JSON numbers with more digits may have been rounded. */
const exactDigits = 15;

/** Undefined for a value that is neither a text nor an exact number. */
function textOf(sent: unknown): string | undefined {
  if (typeof sent !== 'number') return typeof sent === 'string' ? sent : undefined;
  const text = String(sent);
  return /^-?\d+(?:\.\d+)?$/.test(text) && text.replaceAll(/\D/g, '').length <= exactDigits ? text : undefined;
}

/** Cuts to a length in UTF-16 units, which are the unit of messages. */
function cut(text: string, units: number): string {
  // Only the shortened text is cut again, so that a long one is processed once.
  let line = printable(text, units);
  for (let chars = units - 1; line.length > units; chars--) line = printable(line, chars);
  return line;
}
