import { within } from '@mlango/async/within';
import type { LanguageModel, ModelPart, ModelRequest } from '../../models/language-model.js';
import { ModelError } from '../../models/model-error.js';
import type { ModelStep, PluginMiddlewares } from '../api/plugin-middlewares.js';
import type { RuntimeContext } from '../api/runtime-context.js';
import { failoverStream } from './failover-stream.js';
import { hookLimitMs, inPlugin, iterateInPlugin, withFallback } from './plugin-isolation.js';
import { returnedRequest, returnedStream } from './returned-values.js';

/** The middlewares of one plugin in a turn. */
export interface PluginWrap {
  readonly plugin: string;
  readonly middlewares: PluginMiddlewares;
  readonly context: RuntimeContext;
  /** If it fails, the turn or the call fails. */
  readonly failClosed: boolean;
  readonly report: (where: string, error: unknown) => void;
}

/** Wraps a model with the plugins' middlewares, the first one outermost. After the last step, it adds the notice for the user. */
export function withMiddlewares(
  model: LanguageModel,
  wraps: readonly PluginWrap[],
  takeNotices: () => readonly string[],
): LanguageModel {
  return {
    ...model,
    ...(model.contextTokens === undefined ? {} : { contextTokens: model.contextTokens }),
    stream: (request, signal) => streamWithMiddlewares(model, wraps, takeNotices, request, signal),
  };
}

/** Shared by all turns: a generator closure per turn would allocate its own prototype. */
async function* streamWithMiddlewares(
  model: LanguageModel,
  wraps: readonly PluginWrap[],
  takeNotices: () => readonly string[],
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelPart, void> {
  const prepared = await beforeModel(request, wraps);
  const stream = wraps.reduceRight<(changed: ModelRequest) => AsyncIterable<ModelPart>>(
    (inner, around) => {
      const { plugin, middlewares, context } = around;
      const wrap = middlewares.wrapModel?.bind(middlewares);
      if (wrap === undefined) return inner;
      const onFailure = failureHandler('wrapModel', around);
      return (changed) =>
        failoverStream(
          changed,
          inner,
          (...step) => iterateInPlugin(plugin, () => returnedStream(wrap(...step, context))),
          onFailure,
        );
    },
    (changed) => model.stream(changed, signal),
  );
  const step: Writable<ModelStep> = { text: '', reasoning: '', toolCalls: [] };
  for await (const part of stream(prepared)) {
    if (part.type === 'tool_call') step.toolCalls = [...step.toolCalls, part.call];
    else if (part.type === 'usage') step.usage = part.usage;
    else if (part.type === 'text' || part.type === 'reasoning') step[part.type] += part.delta;
    yield part;
  }
  await afterModel(step, wraps);
  if (step.toolCalls.length > 0) return;
  // A notice would break an answer that is JSON.
  const type = prepared.responseSchema === undefined ? 'text' : 'reasoning';
  for (const notice of takeNotices()) yield { type, delta: `\n\n${notice}` };
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

async function beforeModel(request: ModelRequest, wraps: readonly PluginWrap[]): Promise<ModelRequest> {
  let current = request;
  for (const wrap of wraps) {
    const { middlewares, context } = wrap;
    if (middlewares.beforeModel === undefined) continue;
    const before = async () => returnedRequest(await middlewares.beforeModel?.(current, context));
    current = (await hook('beforeModel', wrap, before)) ?? current;
  }
  return current;
}

async function afterModel(step: ModelStep, wraps: readonly PluginWrap[]): Promise<void> {
  for (const wrap of wraps) {
    const { middlewares, context } = wrap;
    if (middlewares.afterModel === undefined) continue;
    await hook('afterModel', wrap, async () => middlewares.afterModel?.(step, context));
  }
}

/** Runs a hook of a plugin before or after a step. Resolves with undefined if the hook fails; rejects if the plugin is `failClosed`. */
function hook<T>(name: string, wrap: PluginWrap, work: () => Promise<T>): Promise<T | undefined> {
  return withFallback(failureHandler(name, wrap), undefined, () =>
    within(hookLimitMs, name, inPlugin(wrap.plugin, work)),
  );
}

function failureHandler(where: string, { failClosed, report }: PluginWrap): (error: unknown) => void {
  return (error) => {
    report(where, error);
    if (!failClosed) return;
    throw new ModelError('server', 'A safeguard of this service failed.', { retryable: true, cause: error });
  };
}
