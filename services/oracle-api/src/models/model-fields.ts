import { parseJson } from '@mlango/service-kit/parse-json';
import { z } from 'zod';

/** Fields of a request's body in addition to the service's own; `null` removes one. */
export type BodyFields = Readonly<Record<string, unknown>>;

/** The fields by model; fields under `*` apply to all. */
export type ModelFields = Readonly<Record<string, BodyFields>>;

/** Names of the maximum answer length: of older models, and of current ones. */
export const limitNames = ['max_tokens', 'max_completion_tokens'] as const;

const most = { chars: 16_384, fields: 32 };

/** Fields that the service sets for each turn, or needs to read the answer. */
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

/** The variable's value: JSON of at most 16,384 characters, with 32 fields per model. None by default. */
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
  if (names.length > most.fields) return `must have at most ${most.fields} fields per model`;
  if (names.some((name) => !/^[A-Za-z_][\w.-]{0,63}$/.test(name))) return 'has an invalid field name';
  const own = names.find((name) => ownFields.has(name));
  if (own !== undefined) return `must not have ${own}: the service sets this field`;
  const read = known.safeParse(fields);
  return read.success ? undefined : `has a value that ${String(read.error.issues[0]?.path[0])} cannot have`;
}

/** The fields of one model: common ones, and its own, which take precedence. */
export function fieldsOf(all: ModelFields, id: string): BodyFields {
  const own = Object.hasOwn(all, id) ? all[id] : undefined;
  return { ...all['*'], ...own };
}

/** Adds the fields to the body. A maximum answer length among them replaces the body's. */
export function withFields(body: BodyFields, fields: BodyFields): BodyFields {
  const namesLimit = limitNames.some((name) => name in fields);
  const merged = { ...body, ...(namesLimit ? { max_tokens: undefined } : {}), ...fields };
  const hasTools = Array.isArray(body['tools']);
  const isLeftOut = ([name, value]: [string, unknown]) =>
    (value === null && name in fields) || (name === 'parallel_tool_calls' && !hasTools);
  return Object.fromEntries(Object.entries(merged).filter((entry) => !isLeftOut(entry)));
}
