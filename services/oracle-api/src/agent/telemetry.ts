import type { Metrics } from '@mlango/service-kit/metrics';
import { noSpans, type SpanFacts, type Spans } from '@mlango/service-kit/tracing';
import type { LanguageModel, ModelMessage, ModelRequest, ModelToolCall, ModelUsage } from '../models/language-model.js';
import { ModelError } from '../models/model-error.js';
import type { Turn, TurnOutcome } from './turn.js';

/** Metrics of models and tools. Labels are bounded: models and plugins are configured. */
export interface TurnMeasures {
  /** Seconds from a request to the first part of its answer. */
  firstToken(model: string, seconds: number): void;
  /** A model request by outcome: `answered`, `stopped` or the kind of failure. */
  step(model: string, outcome: string, seconds: number): void;
  /** A model that failed before its first output, with the kind of failure and the model that answered. */
  fallback(model: string, kind: string, answeredBy: string): void;
  /** A turn, or the part of one before a suspension, by outcome. */
  turn(status: string, seconds: number): void;
  /** Seconds of a tool call, by outcome. */
  tool(plugin: string, outcome: string, seconds: number): void;
}

export interface TelemetryOptions {
  readonly oracle: { readonly name: string; readonly did: string };
  readonly spans: Spans;
  readonly measures: TurnMeasures;
  /** Whether spans contain messages, tool arguments and tool results (`OTEL_CAPTURE_CONTENT`). */
  readonly captureContent: boolean;
}

/** Observer of a model request. */
export interface StepSeen {
  /** A part has arrived; only the first call counts. */
  part(): void;
  /** Which model answers, before its first part. */
  answering(by: { modelId: string; failed: readonly { modelId: string; kind: string }[] }): void;
  /** The end of the request, with its whole output. */
  end(step: { usage: ModelUsage; isCut: boolean; text: string; calls: readonly ModelToolCall[] }): void;
}

/** Maximum content characters in a span. */
const contentChars = 32_000;

/**
 * Telemetry of turns: a span for each turn, model request and tool call, named by the OpenTelemetry conventions for generative AI, and
 * metrics of each.
 */
export class TurnTelemetry {
  readonly #options: TelemetryOptions;

  constructor(options: TelemetryOptions) {
    this.#options = options;
  }

  /** A resumed turn starts a new span that links to the one before: days may lie between, and another process. */
  turn(turn: Turn, work: () => Promise<TurnOutcome>): Promise<TurnOutcome> {
    const { oracle, spans, measures } = this.#options;
    const { run, request, resumed } = turn;
    const begunMs = performance.now();
    const facts = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': providerOf(request.model),
      'gen_ai.agent.id': oracle.did,
      'gen_ai.agent.name': oracle.name,
      'gen_ai.conversation.id': run.sessionId,
      'gen_ai.request.model': request.model.id,
      'mlango.run.id': run.runId,
    };
    return spans.within(
      `invoke_agent ${oracle.name}`,
      facts,
      async (span) => {
        turn.traceparent = span.traceparent;
        const outcome = await work();
        measures.turn(outcome.status, secondsSince(begunMs));
        span.set({ 'mlango.run.status': outcome.status });
        if (outcome.failure !== undefined) span.fail(outcome.failure.kind);
        return outcome;
      },
      { follows: resumed?.state.traceparent },
    );
  }

  step<Done>(
    { request, signal }: Turn,
    modelRequest: ModelRequest,
    work: (seen: StepSeen) => Promise<Done>,
  ): Promise<Done> {
    const { spans, measures } = this.#options;
    const { model } = request;
    const facts = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': providerOf(model),
      'gen_ai.request.model': model.id,
      ...this.#content(() => ({
        'gen_ai.system_instructions': modelRequest.instructions,
        'gen_ai.input.messages': JSON.stringify(modelRequest.messages.map(shown)),
      })),
    };
    const begunMs = performance.now();
    return spans.within(
      `chat ${model.id}`,
      facts,
      async (span) => {
        let hasBegun = false;
        let answeredBy = model.id;
        const seen: StepSeen = {
          part: () => {
            if (!hasBegun) measures.firstToken(answeredBy, secondsSince(begunMs));
            hasBegun = true;
          },
          answering: ({ modelId, failed }) => {
            answeredBy = modelId;
            span.set({ 'gen_ai.response.model': modelId });
            for (const one of failed) measures.fallback(one.modelId, one.kind, modelId);
          },
          end: ({ usage, isCut, text, calls }) =>
            span.set({
              'gen_ai.usage.input_tokens': usage.inputTokens,
              'gen_ai.usage.output_tokens': usage.outputTokens,
              'gen_ai.response.finish_reasons': [isCut ? 'length' : calls.length > 0 ? 'tool_call' : 'stop'],
              ...this.#content(() => ({ 'gen_ai.output.messages': JSON.stringify([shown(answer(text, calls))]) })),
            }),
        };
        try {
          const done = await work(seen);
          measures.step(answeredBy, signal.aborted ? 'stopped' : 'answered', secondsSince(begunMs));
          return done;
        } catch (error) {
          const kind = error instanceof ModelError ? error.kind : 'unknown';
          measures.step(answeredBy, signal.aborted ? 'stopped' : kind, secondsSince(begunMs));
          if (!signal.aborted) span.fail(kind);
          throw error;
        }
      },
      { kind: 'client' },
    );
  }

  call<Made extends { readonly status: string; readonly output?: string }>(
    plugin: string | undefined,
    { id, name, args }: ModelToolCall,
    work: () => Promise<Made>,
  ): Promise<Made> {
    const { spans, measures } = this.#options;
    const facts = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': id,
      'mlango.plugin': plugin,
      ...this.#content(() => ({ 'gen_ai.tool.call.arguments': JSON.stringify(args) })),
    };
    const begunMs = performance.now();
    return spans.within(`execute_tool ${name}`, facts, async (span) => {
      const made = await work();
      measures.tool(plugin ?? 'none', made.status, secondsSince(begunMs));
      if (made.status === 'error' || made.status === 'unknown') span.fail(made.status);
      span.set(this.#content(() => ({ 'gen_ai.tool.call.result': made.output })));
      return made;
    });
  }

  #content(facts: () => Readonly<Record<string, string | undefined>>): SpanFacts {
    if (!this.#options.captureContent) return {};
    return Object.fromEntries(Object.entries(facts()).map(([name, text]) => [name, text?.slice(0, contentChars)]));
  }
}

function secondsSince(begunMs: number): number {
  return (performance.now() - begunMs) / 1_000;
}

/** The convention has no name for OpenAI-compatible providers, and uses OpenAI's. */
function providerOf({
  contextTokens,
  provider = 'openai-compatible',
}: Pick<LanguageModel, 'contextTokens' | 'provider'>) {
  return contextTokens === undefined ? 'mlango' : providerNames[provider];
}

/** Names of the convention. */
const providerNames: Readonly<Record<NonNullable<LanguageModel['provider']>, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  deepseek: 'deepseek',
  openrouter: 'openrouter',
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  'openai-compatible': 'openai',
};

function answer(content: string, toolCalls: readonly ModelToolCall[]): ModelMessage {
  return { role: 'assistant', content, toolCalls };
}

/** A message in the format of the convention. */
function shown({ role, content, toolCalls = [], toolCallId }: ModelMessage): object {
  if (role === 'tool') return { role, parts: [{ type: 'tool_call_response', id: toolCallId, response: content }] };
  const calls = toolCalls.map(({ id, name, args }) => ({ type: 'tool_call', id, name, arguments: args }));
  return { role, parts: [...(content === '' ? [] : [{ type: 'text', content }]), ...calls] };
}

/** Telemetry without spans and metrics. */
export const noTelemetry = new TurnTelemetry({
  oracle: { name: '', did: '' },
  spans: noSpans,
  measures: {
    firstToken: () => undefined,
    step: () => undefined,
    fallback: () => undefined,
    turn: () => undefined,
    tool: () => undefined,
  },
  captureContent: false,
});

/** Buckets in seconds, from fast to slow enough to investigate. */
const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60];

/** Metrics of turns, models and tools of this process. */
export function measureTurns(metrics: Pick<Metrics, 'counter' | 'histogram'>): TurnMeasures {
  const firstToken = metrics.histogram({
    name: 'oracle_model_first_token_seconds',
    help: 'Time from a model request to the first part of the answer.',
    labelNames: ['model'],
    buckets,
  });
  const requests = metrics.histogram({
    name: 'oracle_model_request_seconds',
    help: 'Time from a model request to the end of the answer, or to its failure.',
    labelNames: ['model'],
    buckets,
  });
  const turns = metrics.histogram({
    name: 'oracle_turn_seconds',
    help: 'Duration of turns by end status.',
    labelNames: ['status'],
    buckets,
  });
  const steps = metrics.counter({
    name: 'oracle_model_requests_total',
    help: 'Requests for answers by outcome: answered, stopped, or kind of failure.',
    labelNames: ['model', 'outcome'],
  });
  const fallbacks = metrics.counter({
    name: 'oracle_model_fallbacks_total',
    help: 'Failures before the first token, by kind and fallback model.',
    labelNames: ['model', 'kind', 'answered_by'],
  });
  const tools = metrics.histogram({
    name: 'oracle_tool_seconds',
    help: 'Duration of tool calls by plugin and outcome.',
    labelNames: ['plugin', 'outcome'],
    buckets,
  });
  return {
    firstToken: (model, seconds) => firstToken.observe({ model }, seconds),
    step: (model, outcome, seconds) => {
      steps.inc({ model, outcome });
      requests.observe({ model }, seconds);
    },
    fallback: (model, kind, answeredBy) => fallbacks.inc({ model, kind, answered_by: answeredBy }),
    turn: (status, seconds) => turns.observe({ status }, seconds),
    tool: (plugin, outcome, seconds) => tools.observe({ plugin, outcome }, seconds),
  };
}
