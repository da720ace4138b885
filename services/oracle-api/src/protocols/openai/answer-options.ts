import { jsonSchemaObject } from '@mlango/schemas/json-schema';
import { type SendMessageBody, sendLimits } from '@mlango/schemas/oracle-send';
import { z } from 'zod';
import type { CallRules } from '../../agent/turn-request.js';
import { answerSchemaProblem } from '../../models/tool-schemas/untrusted-schema.js';
import type { StoredToolCall } from '../../store/sessions.js';
import { refusedParam } from './errors.js';

/** Options of an answer in both APIs: the client's functions, and the form of the answer. */

const name = z.string().min(1).max(sendLimits.toolNameChars);

/** A function of the client that the model may call. */
export const functionDefinition = z.looseObject({
  name,
  description: z.string().nullish(),
  parameters: jsonSchemaObject.nullish(),
});

const mode = z.enum(['auto', 'required']);
/** A function by its name, in the form of chat completions and in that of responses. */
const named = z.union([
  z
    .looseObject({ type: z.literal('function'), function: z.looseObject({ name }) })
    .transform((one) => ({ name: one.function.name })),
  z.looseObject({ type: z.literal('function'), name }).transform((one) => ({ name: one.name })),
]);
const someTools = z.looseObject({ mode, tools: z.array(named).min(1).max(128) });
const allowed = z.looseObject({ type: z.literal('allowed_tools') });

/** The client's choice of functions. Hosted tools are refused. */
export const toolChoice = z
  .union(
    [
      z.enum(['auto', 'none', 'required']),
      named,
      allowed.extend({ allowed_tools: someTools }).transform((one) => one.allowed_tools),
      allowed.extend(someTools.shape),
    ],
    'must be auto, none, required, a function by its name, or allowed_tools with functions',
  )
  .nullish();

export const parallelToolCalls = z.boolean().nullish();

/** The client's functions in one request, and the rules for their calls. */
export interface OfferedFunctions {
  readonly tools: SendMessageBody['tools'];
  readonly callRules: CallRules | undefined;
}

/** Fields of a request, in either form. */
interface FunctionFields {
  readonly functions: readonly z.output<typeof functionDefinition>[];
  readonly choice: z.output<typeof toolChoice>;
  readonly parallel: z.output<typeof parallelToolCalls>;
  /** Whether the oracle has a tool of that name, which hides the client's. */
  readonly isTaken: (name: string) => boolean;
}

/** @throws ServiceError for a choice of functions that the request does not have */
export function functionsOf({ functions, choice, parallel, isTaken }: FunctionFields): OfferedFunctions {
  if (choice === 'none') return { tools: undefined, callRules: undefined };
  const names = namesIn(choice) ?? functions.map((one) => one.name);
  for (const chosen of namesIn(choice) ?? []) {
    if (functions.every((one) => one.name !== chosen)) throw refusedChoice(`tools has no function ${chosen}`);
    if (isTaken(chosen)) throw refusedChoice(`the oracle already has a tool called ${chosen}: rename the function`);
  }
  const required = choiceIn(choice);
  if (required !== undefined && names.every(isTaken)) throw refusedChoice('tools has no function that can be called');
  const tools = functions
    .filter((one) => typeof required === 'object' || names.includes(one.name))
    .map((one) => ({ name: one.name, description: one.description ?? '', schema: one.parameters ?? {} }));
  if (tools.length === 0) return { tools: undefined, callRules: undefined };
  const isSingle = parallel === false;
  return { tools, callRules: required !== undefined || isSingle ? { choice: required, isSingle } : undefined };
}

/** Names in a choice of functions. */
function namesIn(choice: FunctionFields['choice']): readonly string[] | undefined {
  if (typeof choice !== 'object' || choice === null) return undefined;
  return 'tools' in choice ? choice.tools.map((one) => one.name) : [choice.name];
}

function choiceIn(choice: FunctionFields['choice']): CallRules['choice'] {
  if (typeof choice !== 'object' || choice === null) return choice === 'required' ? choice : undefined;
  if ('tools' in choice) return choice.mode === 'required' ? 'required' : undefined;
  return { name: choice.name };
}

/** A choice in the form of a response. */
export function shownChoice(choice: FunctionFields['choice']) {
  if (typeof choice !== 'object' || choice === null) return choice ?? 'auto';
  const shown = (one: { readonly name: string }) => ({ type: 'function', name: one.name });
  if (!('tools' in choice)) return shown(choice);
  return { type: 'allowed_tools', mode: choice.mode, tools: choice.tools.map(shown) };
}

function refusedChoice(problem: string) {
  return refusedParam('tool_choice', `tool_choice: ${problem}`);
}

/** Calls of client tools. */
export function handedCalls(calls: readonly StoredToolCall[] = []): readonly StoredToolCall[] {
  return calls.filter(({ status }) => status === 'handed');
}

/** Schema that answers are validated against. */
const answerSchema = jsonSchemaObject.superRefine((schema, context) => {
  const message = answerSchemaProblem(schema);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** `strict` always holds, because each answer is validated. */
const namedSchema = {
  name: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .nullish(),
  description: z.string().max(1_024).nullish(),
  schema: answerSchema.nullish(),
  strict: z.boolean().nullish(),
};
const anyText = z.looseObject({ type: z.literal('text') });
const anyObject = z.looseObject({ type: z.literal('json_object') });

/** `response_format` of chat completions. */
export const responseFormat = z
  .discriminatedUnion('type', [
    anyText,
    anyObject,
    z.looseObject({ type: z.literal('json_schema'), json_schema: z.looseObject(namedSchema) }),
  ])
  .nullish();

/** `text` of responses. */
export const responseText = z
  .looseObject({
    format: z
      .discriminatedUnion('type', [
        anyText,
        anyObject,
        z.looseObject({ type: z.literal('json_schema'), ...namedSchema }),
      ])
      .nullish(),
  })
  .nullish();

type NamedSchema = z.output<z.ZodObject<typeof namedSchema>>;
type Format = z.output<typeof responseFormat> | NonNullable<z.output<typeof responseText>>['format'];

/** Schema of an object answer; undefined for a text answer. Name and description are for the model. */
export function schemaOf(format: Format): Readonly<Record<string, unknown>> | undefined {
  if (!format || format.type === 'text') return undefined;
  if (format.type === 'json_object') return {};
  const { name, description, schema }: NamedSchema =
    'json_schema' in format ? (format.json_schema as NamedSchema) : format;
  const words = { ...(name && { title: name }), ...(description && { description }) };
  return schema && Object.keys(schema).length > 0 ? { ...words, ...schema } : {};
}
