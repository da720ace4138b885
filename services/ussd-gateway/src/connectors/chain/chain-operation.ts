import { z } from 'zod';
import { type DeclaredList, emptyList, mostItems } from '../../engine/declarations.js';
import type { Facts, Query } from '../../engine/flow.js';
import { placeholdersIn, strayBrace } from '../../engine/texts.js';
import { withPoint } from '../../entries/amount.js';
import { wholeNumber } from '../../entries/entry-kind.js';
import { readList } from '../lists.js';
import { ChainError } from './chain-question.js';

const name = z.string().regex(/^[A-Za-z]\w{0,39}$/, 'must be a name of letters and digits');
const path = z.string().regex(/^[\w@-]+(?:\.[\w@-]+)*$/, 'must be names and numbers with dots between them');

const field = z.strictObject({
  /** Path in the reply: `entity.type`, `balances.0.amount`. */
  from: path,
  /** Most characters that fit on a screen. */
  longest: wholeNumber(1, 400),
  as: z.enum(['text', 'date', 'amount']).default('text'),
  /** Number of decimals of an amount. */
  decimals: wholeNumber(0, 30).default(0),
  /** Printed if the reply has no value. */
  otherwise: z.string().max(40).default('-'),
});
type Field = z.output<typeof field>;

const listField = z
  .strictObject({
    /** Path of the list in the reply, such as `balances`. */
    from: path,
    most: wholeNumber(1, mostItems).describe('Items at most; further ones are not shown'),
    /** Path of each field in an item. */
    items: z.record(name, field),
  })
  .describe('A list, which a screen offers by `options: { from: … }`');
type ListField = z.output<typeof listField>;

/** Settings of a chain query in a flow. */
export const chainSettings = {
  /**
   * Segments of a path of the query gateway; `{fact}` is replaced by a typed or found value. Each is escaped, and stays
   * one segment.
   */
  path: z
    .array(
      z
        .string()
        .min(1)
        .max(200)
        .superRefine((part, context) => {
          const description = strayBrace(part);
          if (description !== undefined) context.addIssue(description);
        }),
    )
    .min(1)
    .max(20),
  gives: z
    .record(name, z.union([listField, field]))
    .refine((gives) => listsIn(gives).length < 2, 'can give one list only'),
};
type Gives = Readonly<Record<string, Field | ListField>>;

interface ListInReply {
  readonly how: ListField;
  readonly declared: DeclaredList;
}

function listsIn(gives: Gives): readonly ListInReply[] {
  return Object.entries(gives).flatMap(([name, how]) =>
    'items' in how ? [{ how, declared: declaredOf(name, how) }] : [],
  );
}

function factsIn(gives: Gives) {
  return Object.entries(gives).flatMap(([fact, how]) => ('items' in how ? [] : [[fact, how] as const]));
}

/** A chain query: `found` with its facts, `unknown` if the chain has no such entry, or `empty` if its list has no items. */
export function chainOperation({ path, gives }: z.output<z.ZodObject<typeof chainSettings>>): Query {
  const facts = factsIn(gives);
  const [list] = listsIn(gives);
  const longest = facts.map(([fact, { longest: chars }]) => [fact, ['W'.repeat(chars)]] as const);
  return {
    kind: 'query',
    takes: [...new Set(path.flatMap(placeholdersIn))],
    results: { found: Object.fromEntries(longest), unknown: {}, ...(list && { [emptyList]: {} }) },
    ...(list && { lists: { found: list.declared } }),
    run: async ({ entries }, { chain }) => {
      const segments = path.map((part) => part.replaceAll(/\{(\w+)\}/g, (_, name: string) => entries[name] ?? ''));
      const answer = await chain.read({ path: segments, answer: z.record(z.string(), z.unknown()) });
      if (answer === undefined) return { result: 'unknown' };
      return {
        result: 'found',
        facts: Object.fromEntries(facts.map(([fact, how]) => [fact, printed(answer, how)])),
        ...(list && { lists: { [list.declared.name]: itemsIn(answer, list) } }),
      };
    },
  };
}

function declaredOf(listName: string, { most, items }: ListField): DeclaredList {
  const fields = Object.entries(items).map(
    ([field, { longest }]) => [field, { kind: 'text', chars: longest }] as const,
  );
  return { name: listName, most, fields: Object.fromEntries(fields) };
}

/** @throws {ChainError} for an answer without the list. */
function itemsIn(answer: unknown, { how: { from, items, most }, declared }: ListInReply): readonly Facts[] {
  const sent = valueAt(answer, from);
  const written = Array.isArray(sent)
    ? sent.slice(0, most).map((item) => {
        return Object.fromEntries(Object.entries(items).map(([field, how]) => [field, printed(item, how)]));
      })
    : sent;
  const read = readList(written, declared);
  if ('why' in read) throw new ChainError('internal', `The chain's answer ${read.why}, which is read from "${from}"`);
  return read.items;
}

/** Undefined if the answer has no value at the path. */
function valueAt(answer: unknown, from: string): unknown {
  let value = answer;
  for (const name of from.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return value;
}

function printed(answer: unknown, { from, as, decimals, otherwise }: Field): string {
  const value = valueAt(answer, from);
  if (!['string', 'number', 'boolean'].includes(typeof value)) return otherwise;
  const text = String(value);
  if (as === 'date') return /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? otherwise;
  if (as === 'text' || decimals === 0) return text === '' ? otherwise : text;
  return /^\d+$/.test(text) ? withPoint(text, decimals) : otherwise;
}
