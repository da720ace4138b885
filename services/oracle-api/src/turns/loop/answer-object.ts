import { jsonIn } from '../../json-in.js';
import {
  answerToolName,
  type LanguageModel,
  type ModelPart,
  type ModelRequest,
  type ModelUsage,
} from '../../models/language-model.js';
import { ModelError } from '../../models/model-error.js';
import { foreignSchema } from '../../plugin-host/foreign-schema.js';
import { addUsage, noUsage } from '../after/turn-usage.js';

/** The first answer, and one more that repairs it. */
const attempts = 2;

/**
 * A model whose answer is the JSON text of one object that fits a schema. An answer that does not fit is repaired once, and fails then. Text
 * beside calls of tools becomes reasoning, so that the answer is JSON alone.
 */
export function answerObject(model: LanguageModel, schema: Readonly<Record<string, unknown>>): LanguageModel {
  return { ...model, stream: (request, signal) => streamObject(model, schema, request, signal) };
}

async function* streamObject(
  model: LanguageModel,
  schema: Readonly<Record<string, unknown>>,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncIterable<ModelPart> {
  const accepted = foreignSchema(schema);
  const told = `Answer with one JSON object and nothing else. It fits this JSON Schema: ${JSON.stringify(schema)}`;
  const instructions = [request.instructions, told].filter(Boolean).join('\n\n');
  const usage = new UsageSum();
  let messages = request.messages;
  for (let attempt = 1; attempt <= attempts && !signal.aborted; attempt++) {
    const parts = model.stream({ ...request, instructions, messages, responseSchema: schema }, signal);
    const { text, hasCalls } = yield* passCalls(parts, usage);
    const object = hasCalls ? undefined : accepted.check(jsonIn(withoutFence(text)) ?? text);
    if (object === undefined && text !== '') yield { type: 'reasoning', delta: text };
    if (object?.ok === true) yield { type: 'text', delta: JSON.stringify(object.args) };
    if (object?.ok !== false) return yield* usage.parts();
    const repair = `The answer does not fit the schema: ${object.problem}. Answer again with the JSON object alone.`;
    messages = [...messages, { role: 'assistant', content: text }, { role: 'user', content: repair }];
  }
  yield* usage.parts();
  if (!signal.aborted) throw new ModelError('server', noObject, { retryable: true });
}

const noObject = 'The model gave no answer in the requested form.';

/** Passes on all of a step but its text, which is the answer only once it fits. */
async function* passCalls(
  parts: AsyncIterable<ModelPart>,
  usage: UsageSum,
): AsyncGenerator<ModelPart, { text: string; hasCalls: boolean }> {
  let [text, hasCalls] = ['', false];
  for await (const part of parts) {
    if (part.type === 'text') text += part.delta;
    else if (part.type === 'tool_call' && part.call.name === answerToolName) text = JSON.stringify(part.call.args);
    else if (part.type === 'usage') usage.add(part.usage);
    else {
      hasCalls ||= part.type === 'tool_call';
      yield part;
    }
  }
  return { text, hasCalls };
}

/** Some models put their JSON into a block of Markdown. */
function withoutFence(text: string): string {
  return /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text;
}

/** What all attempts took, as far as the model says. */
class UsageSum {
  #sum: ModelUsage = noUsage;

  add(usage: ModelUsage): void {
    this.#sum = addUsage({ ...this.#sum, isEstimated: false }, { ...usage, isEstimated: false });
  }

  *parts(): Iterable<ModelPart> {
    const { inputTokens, outputTokens } = this.#sum;
    if (inputTokens + outputTokens > 0) yield { type: 'usage', usage: { inputTokens, outputTokens } };
  }
}
