import { z } from 'zod';
import type { Query } from '../../engine/flow.js';
import { placeholdersIn, strayBrace } from '../../engine/named-facts.js';
import { wholeNumber } from '../../entries/settings.js';
import { withPoint } from '../../entries/with-point.js';

const given = z.strictObject({
  /** Where it stands in the reply: `entity.type`, `balances.0.amount`. */
  from: z.string().regex(/^[\w@-]+(?:\.[\w@-]+)*$/, 'must be names and numbers with dots between them'),
  /** The most characters of it that a screen has room for. */
  longest: wholeNumber(1, 400),
  as: z.enum(['text', 'date', 'amount']).default('text'),
  /** How many digits of an amount stand after the point. */
  decimals: wholeNumber(0, 30).default(0),
  /** What is printed where the reply has nothing there. */
  otherwise: z.string().max(40).default('-'),
});
type Given = z.output<typeof given>;

/** What a flow says of a question to the chain. */
export const chainSettings = {
  /** Segments of a path of the query gateway; `{fact}` stands for what was typed or found out. Each is escaped, and stays one segment. */
  path: z
    .array(
      z
        .string()
        .min(1)
        .max(200)
        .superRefine((part, context) => {
          const says = strayBrace(part);
          if (says !== undefined) context.addIssue(says);
        }),
    )
    .min(1)
    .max(20),
  gives: z.record(z.string().regex(/^[A-Za-z]\w{0,39}$/, 'must be a name of letters and digits'), given),
};

/** A question to the chain: `found` with the facts it gives, or `unknown` where the chain has nothing of that name. */
export function chainOperation({ path, gives }: z.output<z.ZodObject<typeof chainSettings>>): Query {
  const longest = Object.entries(gives).map(([name, { longest: chars }]) => [name, ['W'.repeat(chars)]] as const);
  return {
    kind: 'query',
    takes: [...new Set(path.flatMap(placeholdersIn))],
    results: { found: Object.fromEntries(longest), unknown: {} },
    ask: async ({ entries }, { chain }) => {
      const segments = path.map((part) => part.replaceAll(/\{(\w+)\}/g, (_, name: string) => entries[name] ?? ''));
      const answer = await chain.read({ path: segments, answer: z.record(z.string(), z.unknown()) });
      if (answer === undefined) return { result: 'unknown' };
      return {
        result: 'found',
        facts: Object.fromEntries(Object.entries(gives).map(([name, how]) => [name, printed(answer, how)])),
      };
    },
  };
}

function printed(answer: unknown, { from, as, decimals, otherwise }: Given): string {
  let value = answer;
  for (const name of from.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return otherwise;
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  if (!['string', 'number', 'boolean'].includes(typeof value)) return otherwise;
  const text = String(value);
  if (as === 'date') return /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? otherwise;
  if (as === 'text' || decimals === 0) return text === '' ? otherwise : text;
  return /^\d+$/.test(text) ? withPoint(text, decimals) : otherwise;
}
