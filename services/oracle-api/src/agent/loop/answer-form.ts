import { parseJson } from '@mlango/service-kit/parse-json';
import {
  answerToolName,
  type LanguageModel,
  type ModelPart,
  type ModelRequest,
  type ModelUsage,
  type ToolChoice,
} from '../../models/language-model.js';
import { ModelError } from '../../models/model-error.js';
import type { ToolSchema } from '../../models/tool-schemas/tool-schema.js';
import { turnLimits } from '../fixed-limits.js';
import { addUsage, noUsage } from '../usage.js';

/** The first attempt and one repair. */
const attempts = 2;

type CallPart = Extract<ModelPart, { type: 'tool_call' }>;

/** One answer of the model, buffered until its format is checked. */
interface Attempt {
  readonly text: string;
  readonly calls: readonly CallPart[];
}

/** Result of an attempt: the answer in the required format, or the repair instruction for the model. */
type Checked = { readonly parts: readonly ModelPart[] } | { readonly repair: string };

/** A required answer format. */
interface AnswerForm {
  readonly failure: string;
  check(attempt: Attempt): Checked;
}

/**
 * A model that answers with one JSON object that matches a schema. An invalid answer is repaired once, then fails. Text together with tool
 * calls becomes reasoning, so that the answer is only JSON.
 */
export function answerObject(model: LanguageModel, schema: ToolSchema): LanguageModel {
  const { $schema: _, ...constraints } = schema.json;
  const isAny = Object.keys(constraints).length === 0;
  const fits = isAny ? '' : ` It fits this JSON Schema: ${JSON.stringify(schema.json)}`;
  const instruction = `Answer with one JSON object and nothing else.${fits}`;
  const formOf = ({ mayCall = true }: ModelRequest): AnswerForm => ({
    failure: 'The model gave no answer in the requested form.',
    check: ({ text, calls }) => {
      const answer = calls.find(({ call }) => call.name === answerToolName);
      if (calls.length > 0 && answer === undefined && mayCall) return { parts: [...thought(text), ...calls] };
      const object = answer?.call.args ?? parseJson(withoutFence(text)) ?? text;
      const checked = schema.check(object);
      if (checked.ok) return { parts: [{ type: 'text', delta: JSON.stringify(object) }] };
      const problem = `The answer does not fit the schema: ${checked.problem}.`;
      return { repair: `${problem} Answer again with the JSON object alone.` };
    },
  });
  return {
    ...model,
    stream: (request, signal) => {
      const inForm = { ...request, instructions: added(request, instruction), responseSchema: schema.json };
      return streamInForm(model, formOf(request), inForm, signal);
    },
  };
}

/**
 * A model that makes a call when its request has a `toolChoice`, also with providers that ignore it. An answer without the required call is
 * repaired once, then fails.
 */
export function answerWithCall(model: LanguageModel, choice: ToolChoice): LanguageModel {
  const named = choice === 'required' ? 'a tool' : choice.name;
  const form: AnswerForm = {
    failure: 'The model did not make the required call.',
    check: ({ text, calls }) => {
      const required = calls.filter(({ call }) => choice === 'required' || call.name === choice.name);
      if (required.length > 0) return { parts: [{ type: 'text', delta: text }, ...required] };
      return { repair: `The answer is not a call of ${named}. Call it now, and write nothing else.` };
    },
  };
  return {
    ...model,
    stream: (request, signal) => {
      if (request.mayCall === false) throw noAnswer(form);
      const instruction = `This answer is a call of ${named}, and nothing else.`;
      return streamInForm(
        model,
        form,
        { ...request, instructions: added(request, instruction), toolChoice: choice },
        signal,
      );
    },
  };
}

function added({ instructions }: ModelRequest, instruction: string): string {
  return [instructions, instruction].filter(Boolean).join('\n\n');
}

async function* streamInForm(
  model: LanguageModel,
  form: AnswerForm,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncIterable<ModelPart> {
  const usage = new UsageSum();
  let { messages } = request;
  for (let attempt = 1; attempt <= attempts && !signal.aborted; attempt++) {
    const made = yield* attemptOf(model.stream({ ...request, messages }, signal), usage);
    const checked = form.check(made);
    if ('parts' in checked) {
      yield* checked.parts;
      return yield* usage.parts();
    }
    yield* thought(made.text);
    const answer = made.text === '' ? [] : [{ role: 'assistant' as const, content: made.text }];
    messages = [...messages, ...answer, { role: 'user', content: checked.repair }];
  }
  yield* usage.parts();
  if (!signal.aborted) throw noAnswer(form);
}

function noAnswer({ failure }: AnswerForm): ModelError {
  return new ModelError('server', failure, { retryable: true, code: 'answer_not_in_form' });
}

/** Passes on reasoning at once. The format check detects a truncated attempt. */
async function* attemptOf(parts: AsyncIterable<ModelPart>, usage: UsageSum): AsyncGenerator<ModelPart, Attempt> {
  const calls: CallPart[] = [];
  let text = '';
  for await (const part of parts) {
    if (part.type === 'text') text += part.delta;
    else if (part.type === 'tool_call') calls.push(part);
    else if (part.type === 'usage') usage.add(part.usage);
    else if (part.type !== 'cut') yield part;
    if (text.length > turnLimits.answerChars) break;
  }
  return { text, calls };
}

function thought(text: string): ModelPart[] {
  return text === '' ? [] : [{ type: 'reasoning', delta: text }];
}

/** Some models wrap their JSON in a Markdown code block. */
function withoutFence(text: string): string {
  return /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text;
}

/** Tokens of all attempts at one answer, if the model reports them. */
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
