import { sendLimits } from '@mlango/schemas/oracle-send';
import { parseJson } from '@mlango/service-kit/parse-json';
import { z } from 'zod';
import { turnLimits } from '../../agent/fixed-limits.js';
import { answerObject } from '../../agent/loop/answer-form.js';
import { historyTokens } from '../../agent/prompt/fit-conversation.js';
import type { Turn } from '../../agent/turn.js';
import { addUsage, estimatedUsage } from '../../agent/usage.js';
import type { LanguageModel, ModelRequest } from '../../models/language-model.js';
import { ModelError } from '../../models/model-error.js';
import { type JsonSchema, type ToolSchema, toolSchema } from '../../models/tool-schemas/tool-schema.js';
import { onQuotes, quoted } from '../../models/untrusted-text.js';
import { checkedUsage, estimateTokens } from '../../models/usage.js';
import { wrapModel } from '../../models/wrap-model.js';
import type { ObjectModel, ObjectOf, ObjectRequest } from '../api/grants.js';
import { PluginError } from '../api/plugin-error.js';
import { ToolError } from '../api/plugin-tool.js';
import { type PluginWrap, withMiddlewares } from './model-middlewares.js';

interface TurnObjectsParts {
  readonly turn: Turn;
  readonly model: LanguageModel;
  /** Aborted when the turn is over. */
  readonly over: AbortSignal;
  /** The middlewares of the turn; undefined until it has them. */
  readonly wraps: () => readonly PluginWrap[] | undefined;
  readonly oracleName: string;
  readonly now: () => Date;
}

/** Objects that plugins request from the model in one turn. */
export class TurnObjects {
  readonly #parts: TurnObjectsParts;
  readonly #requests = new Map<string, number>();

  constructor(parts: TurnObjectsParts) {
    this.#parts = parts;
  }

  /** The model for requests of a plugin: wrapped in the middlewares of all other plugins, so that their safeguards and limits apply. */
  of(plugin: string): ObjectModel {
    return { object: (request) => this.#object(plugin, request) };
  }

  async #object<Schema extends z.ZodObject | JsonSchema>(
    plugin: string,
    request: ObjectRequest<Schema>,
  ): Promise<ObjectOf<Schema>> {
    const { turn, over, model, wraps } = this.#parts;
    const around = wraps()?.filter((wrap) => wrap.plugin !== plugin);
    if (around === undefined)
      throw new PluginError('model.object is not yet available in getSharedState: use it later in the turn');
    if (over.aborted) throw new PluginError('model.object is available only during the turn');
    const schema = schemaOf(request);
    const modelRequest = this.#requestOf(request, schema);
    const count = (this.#requests.get(plugin) ?? 0) + 1;
    if (count > turnLimits.objectsOfPlugin) {
      throw new PluginError(`model.object has at most ${turnLimits.objectsOfPlugin} requests of a plugin in a turn`);
    }
    this.#requests.set(plugin, count);
    const signal = AbortSignal.any([turn.signal, over, ...(request.signal ? [request.signal] : [])]);
    const answering = withMiddlewares(answerObject(model, schema), around, () => []);
    const text = await this.#read(wrapModel(answering, { cutOffAtAbort: true }), modelRequest, signal);
    signal.throwIfAborted();
    const object = parseJson(text);
    const checked = schema.check(object);
    // A middleware may have replaced the answer.
    if (!checked.ok) throw new ToolError('The model gave no answer in the requested form.');
    return checked.args as ObjectOf<Schema>;
  }

  #requestOf({ prompt, material }: ObjectRequest, { json }: ToolSchema): ModelRequest {
    const { turn, model, oracleName, now } = this.#parts;
    if (typeof prompt !== 'string' || prompt === '' || prompt.length > sendLimits.messageChars) {
      throw new PluginError(`model.object: prompt has 1 to ${sendLimits.messageChars} characters`);
    }
    const content = material === undefined ? prompt : `${prompt}\n\n${quoted(material.source, material.text)}`;
    const tokens = estimateTokens(content) + estimateTokens(JSON.stringify(json));
    const most = historyTokens(model);
    if (tokens > most) throw new PluginError(`model.object: about ${tokens} tokens; the maximum is ${most}`);
    const { ownerDid: userId, address } = turn.request;
    const instructions = material === undefined ? undefined : onQuotes;
    return { instructions, messages: [{ role: 'user', content }], oracleName, now: now(), userId, address };
  }

  /** Returns the text of the answer; adds its tokens to those of the turn. */
  async #read(model: LanguageModel, request: ModelRequest, signal: AbortSignal): Promise<string> {
    const { draft } = this.#parts.turn;
    let text = '';
    let written = '';
    let usage: ReturnType<typeof checkedUsage>;
    try {
      for await (const part of model.stream(request, signal)) {
        if (part.type === 'text') text += part.delta;
        if (part.type === 'text' || part.type === 'reasoning') written += part.delta;
        if (part.type === 'usage') usage = checkedUsage(part.usage, model);
      }
      return text;
    } catch (error) {
      if (error instanceof ModelError) throw new ToolError(error.detail, { cause: error });
      throw error;
    } finally {
      // A refused request uses no tokens.
      const took = usage === undefined ? estimatedUsage(request, written) : { ...usage, isEstimated: false };
      if (usage !== undefined || written !== '') draft.usage = addUsage(draft.usage, took);
    }
  }
}

function schemaOf({ schema }: ObjectRequest): ToolSchema {
  if (schema instanceof z.ZodObject) return toolSchema(schema);
  const isPlain = typeof schema === 'object' && schema !== null && !(schema instanceof z.ZodType);
  if (!isPlain) throw new PluginError('model.object: schema is a zod object or JSON Schema of an object');
  return toolSchema(schema);
}
