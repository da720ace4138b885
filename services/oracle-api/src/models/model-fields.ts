import { z } from 'zod';
import { parseJson } from '../parse-json.js';

/** Fields of a request's body beside those that the service fills; `null` leaves one out. */
export type BodyFields = Readonly<Record<string, unknown>>;

/** The fields by model; those under `*` are of all. */
export type ModelFields = Readonly<Record<string, BodyFields>>;

/** What the longest answer is called: by older models, and by those of today. */
export const limitNames = ['max_tokens', 'max_completion_tokens'] as const;

const most = { chars: 16_384, fields: 32 };

/** What is said of each turn anew, and what the answer is read by. */
const ownFields = new Set(
  'model messages stream stream_options tools tool_choice functions function_call n user'.split(' '),
);

const answerTokens = z.int().min(16).max(1_000_000);
const known = z.looseObject({
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  reasoning_effort: z
    .string()
    .regex(/^\w{1,32}$/)
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_tokens: answerTokens.nullish(),
  max_completion_tokens: answerTokens.nullish(),
});

const example = 'must be JSON such as {"*":{"temperature":0.2},"gpt-5":{"temperature":null,"reasoning_effort":"low"}}';

/** The variable's value: JSON of at most 16,384 characters, with 32 fields a model. None by default. */
export const modelFields = () =>
  z
    .string()
    .max(most.chars, `must be at most ${most.chars} characters`)
    .transform((text, context): ModelFields => {
      const problem = (message: string) => {
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      const read = z.record(z.string(), z.record(z.string(), z.unknown())).safeParse(parseJson(text));
      if (!read.success) return problem(example);
      const found = Object.values(read.data)
        .map(problemOf)
        .find((message) => message !== undefined);
      return found === undefined ? read.data : problem(found);
    })
    .default({});

function problemOf(fields: BodyFields): string | undefined {
  const names = Object.keys(fields);
  if (names.length > most.fields) return `must have at most ${most.fields} fields a model`;
  if (names.some((name) => !/^[A-Za-z_][\w.-]{0,63}$/.test(name))) return 'has a name that no field has';
  const own = names.find((name) => ownFields.has(name));
  if (own !== undefined) return `must not have ${own}: that is for the service to say`;
  const read = known.safeParse(fields);
  return read.success ? undefined : `has a value that ${String(read.error.issues[0]?.path[0])} cannot have`;
}

/** The fields of one model: those of all, and its own, which go first. */
export function fieldsOf(all: ModelFields, id: string): BodyFields {
  const own = Object.hasOwn(all, id) ? all[id] : undefined;
  return { ...all['*'], ...own };
}

/** The body with the fields in it. A longest answer among them stands in for the one that was there. */
export function withFields(body: BodyFields, fields: BodyFields): BodyFields {
  const namesLimit = limitNames.some((name) => name in fields);
  const merged = { ...body, ...(namesLimit ? { max_tokens: undefined } : {}), ...fields };
  const hasTools = Array.isArray(body['tools']);
  const isLeftOut = ([name, value]: [string, unknown]) =>
    (value === null && name in fields) || (name === 'parallel_tool_calls' && !hasTools);
  return Object.fromEntries(Object.entries(merged).filter((entry) => !isLeftOut(entry)));
}
