import { APICallError, type LanguageModelMiddleware, type streamText, type wrapLanguageModel } from 'ai';
import { answerToolName, type ModelRequest } from '../language-model.js';
import type { ProviderName } from '../model-endpoints.js';
import { providerName } from './compatible-state.js';
import { errorInBody } from './endpoint-error.js';
import type { ToolNames } from './tool-names.js';

export type ProviderModel = Parameters<typeof wrapLanguageModel>[0]['model'];
type CallOptions = Parameters<Extract<ProviderModel, { specificationVersion: 'v3' }>['doStream']>[0];
type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>;

/** Rules of a request that are not options of the SDK: its `toolChoice` fails when a model does not obey, and some models do not. */
export function requestOptions(
  { mayCall = true, responseSchema, toolChoice, parallelCalls }: ModelRequest,
  names: ToolNames,
): ProviderOptions {
  const schema = responseSchema === undefined ? {} : { responseSchema: JSON.stringify(responseSchema) };
  const choice = typeof toolChoice === 'object' ? { name: names.outer(toolChoice.name) } : toolChoice;
  return {
    mlango: {
      mayCall,
      ...schema,
      ...(choice && { toolChoice: choice }),
      ...(parallelCalls === false && { isSingle: true }),
    },
  };
}

const wordsOnly = 'Answer in words now. Tools cannot be called any more.';

/**
 * Applies the rules of `requestOptions` to each request. A rule that an endpoint refuses is sent in another form, immediately from
 * the next request on: an object by a call of `structured_answer`, a required or single call without the field. The turn's loop
 * checks the answers.
 */
export function requestRules(provider: ProviderName): LanguageModelMiddleware {
  let accepted: readonly OtherForm[] = [];
  return {
    specificationVersion: 'v3',
    transformParams: async ({ params: { providerOptions, ...params } }) => {
      const { mlango = {}, ...others } = providerOptions ?? {};
      const isSingle = mlango['isSingle'] === true && (params.tools ?? []).length > 0;
      const ruled = {
        ...params,
        ...responseFormat(mlango['responseSchema']),
        ...forcedCall(mlango['toolChoice']),
        providerOptions: { ...others, ...ownOptions(isSingle) },
      };
      return mlango['mayCall'] === false ? withoutCalls(ruled, provider) : ruled;
    },
    wrapStream: async ({ model, params }) => {
      let applied = accepted;
      let request = applied.reduce<CallOptions>((current, form) => form.apply(current) ?? current, params);
      for (;;) {
        try {
          const answer = await model.doStream(request);
          accepted = applied;
          return answer;
        } catch (error) {
          const refusal = refusalIn(error);
          const form = otherForms.find((each) => !applied.includes(each) && each.isNamedIn(refusal));
          const adapted = form?.apply(request);
          if (form === undefined || adapted === undefined) throw error;
          applied = [...applied, form];
          request = adapted;
        }
      }
    },
  };
}

/** No conversation is stored at OpenAI; its reasoning is returned encrypted instead. Strict schemas allow few keywords. */
function ownOptions(isSingle: boolean): ProviderOptions {
  const openai = { store: false, strictJsonSchema: false, ...(isSingle && { parallelToolCalls: false }) };
  const single = isSingle ? { parallel_tool_calls: false } : {};
  return {
    openai,
    azure: openai,
    [providerName]: { strictJsonSchema: false, ...single },
    ...(isSingle && {
      anthropic: { disableParallelToolUse: true },
      mistral: { parallelToolCalls: false },
      openrouter: single,
    }),
  };
}

function responseFormat(schema: unknown): Pick<CallOptions, 'responseFormat'> {
  if (typeof schema !== 'string') return {};
  const { $schema, ...constraints } = JSON.parse(schema);
  if (Object.keys(constraints).length === 0) return { responseFormat: { type: 'json' } };
  return { responseFormat: { type: 'json', schema: { ...($schema && { $schema }), ...constraints }, name: 'answer' } };
}

function forcedCall(choice: unknown): Pick<CallOptions, 'toolChoice'> {
  if (choice === 'required') return { toolChoice: { type: 'required' } };
  if (typeof choice !== 'object' || choice === null || !('name' in choice)) return {};
  return { toolChoice: { type: 'tool', toolName: String(choice.name) } };
}

function withoutCalls(params: CallOptions, provider: ProviderName): CallOptions {
  // These two cannot declare tools that must not be called.
  if (provider !== 'anthropic' && provider !== 'bedrock') return { ...params, toolChoice: { type: 'none' } };
  const [first, ...rest] = params.prompt;
  if (first?.role !== 'system')
    return { ...params, prompt: [{ role: 'system', content: wordsOnly }, ...params.prompt] };
  return { ...params, prompt: [{ ...first, content: `${first.content}\n\n${wordsOnly}` }, ...rest] };
}

/** An alternative form of a rule, for endpoints that refuse the usual one. */
interface OtherForm {
  /** Whether a refusal concerns the usual form. Some endpoints have no code for it, and some proxies drop the code. */
  isNamedIn(refusal: string): boolean;
  /** Undefined for a request that the form does not change. */
  apply(params: CallOptions): CallOptions | undefined;
}

/** A call carries the object at endpoints without structured output, or without it together with tools (Gemini). */
const objectByCall: OtherForm = {
  isNamedIn: (refusal) =>
    /response.?format|response.?mime.?type|response.?schema|json_schema|json_object|\btext\.format|output_format/i.test(
      refusal,
    ),
  apply: ({ responseFormat: format, tools = [], toolChoice, ...params }) => {
    if (format?.type !== 'json') return undefined;
    const inputSchema = { type: 'object' as const, ...format.schema };
    const tool = { type: 'function' as const, name: answerToolName, description: 'Gives the answer.', inputSchema };
    const isLast = toolChoice?.type === 'none';
    const choice = isLast ? ({ type: 'tool', toolName: answerToolName } as const) : ({ type: 'required' } as const);
    return { ...params, tools: [...tools, tool], toolChoice: choice };
  },
};

/** Reasoning models and some servers refuse a forced call. */
const choiceInWords: OtherForm = {
  isNamedIn: (refusal) => /tool.?choice|tool.?config|function.?calling.?config/i.test(refusal),
  apply: ({ toolChoice, ...params }) =>
    toolChoice?.type === 'required' || toolChoice?.type === 'tool' ? params : undefined,
};

const singleCallNames = ['parallelToolCalls', 'parallel_tool_calls', 'disableParallelToolUse'];

const severalCalls: OtherForm = {
  isNamedIn: (refusal) => /parallel.?tool/i.test(refusal),
  apply: (params) => {
    const entries = Object.entries(params.providerOptions ?? {});
    if (!entries.some(([, options]) => singleCallNames.some((name) => name in options))) return undefined;
    const without = entries.map(([provider, options]) => {
      const remaining = Object.entries(options).filter(([name]) => !singleCallNames.includes(name));
      return [provider, Object.fromEntries(remaining)] as const;
    });
    return { ...params, providerOptions: Object.fromEntries(without) };
  },
};

const otherForms = [severalCalls, objectByCall, choiceInWords];

/** Text of a refusal of a request's form; used only after another form was accepted, because the text may repeat user input. */
function refusalIn(error: unknown): string {
  if (!APICallError.isInstance(error) || (error.statusCode !== 400 && error.statusCode !== 422)) return '';
  const { param = '', message = error.message } = errorInBody(error.responseBody) ?? {};
  return `${param} ${message}`.slice(0, 4_000);
}
