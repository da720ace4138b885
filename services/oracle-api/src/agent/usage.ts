import type { LanguageModel, ModelFile, ModelRequest, ModelTool, ModelUsage } from '../models/language-model.js';
import { checkedUsage, estimateTokens } from '../models/usage.js';

/** Model usage of a turn. */
export interface TurnUsage extends ModelUsage {
  /** Whether a part is estimated: for aborted steps, and for models that do not report usage. */
  readonly isEstimated: boolean;
}

/** Usage of a turn, with its owner and session. */
export interface MeteredTurn extends TurnUsage {
  readonly ownerDid: string;
  readonly sessionId: string;
  readonly requestId: string;
  readonly runId: string;
  /** 0 for the first part, incremented at each suspension, which reports the usage until then. */
  readonly part: number;
  readonly modelId: string;
  /** Set for a suspended turn: the deadline of the approval. */
  readonly waitsUntil?: Date;
}

/**
 * Receives the usage of each turn that requested its model, including failed and stopped turns. The usage of a killed process is an
 * estimate. Deduplicate by `runId` and `part`: a report is repeated when a process dies at the end of a turn or another meter fails.
 * Failure: a resolved report is final. A report that rejects or exceeds 5 seconds is retried by any process until it resolves. It does
 * not delay the answer or other meters.
 */
export interface UsageMeter {
  /** Whether users pay for reported usage, one credit per token. Clients then receive the charge at the end of a turn. */
  readonly charges?: boolean;
  record(turn: MeteredTurn): Promise<void> | void;
}

export const noUsage: TurnUsage = { inputTokens: 0, outputTokens: 0, isEstimated: false };

/** The sum of two usages. */
export function addUsage(one: TurnUsage, other: TurnUsage): TurnUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    isEstimated: one.isEstimated || other.isEstimated,
  };
}

/** Estimate for a file that is sent to the model unchanged. */
const mediaTokens = 1_000;

function fileTokens(file: ModelFile): number {
  if ('bytes' in file) return mediaTokens;
  if (file.kind === 'named') return estimateTokens(file.filename);
  return estimateTokens(file.kind === 'text' ? file.text : file.reason);
}

/** Definitions are the same objects from turn to turn, so their token counts are cached. */
const knownToolTokens = new WeakMap<ModelTool, number>();

function toolTokens(tool: ModelTool): number {
  const tokens = knownToolTokens.get(tool) ?? estimateTokens(JSON.stringify(tool));
  knownToolTokens.set(tool, tokens);
  return tokens;
}

/** Estimated usage of a step for which the model reported none. */
export function estimatedUsage(
  request: Pick<ModelRequest, 'instructions' | 'notes' | 'messages' | 'tools'>,
  said: string,
): TurnUsage {
  const { instructions = '', notes, messages, tools = [] } = request;
  const calls = messages.flatMap(({ toolCalls }) => toolCalls ?? []);
  const texts = [instructions, notes?.text ?? '', ...messages.map(({ content }) => content)];
  const files = messages.flatMap((message) => message.files ?? []).reduce((sum, file) => sum + fileTokens(file), 0);
  const read = texts.reduce((sum, text) => sum + estimateTokens(text), files);
  const made = calls.length === 0 ? 0 : estimateTokens(JSON.stringify(calls));
  const offered = tools.reduce((sum, tool) => sum + toolTokens(tool), 0);
  return { inputTokens: read + made + offered, outputTokens: estimateTokens(said), isEstimated: true };
}

/** `answer`: requested by users. `upkeep`: titles and summaries, which are not charged. */
export type TokenPurpose = 'answer' | 'upkeep';

/** The part of the metrics that token counting needs. */
export interface TokenCounters {
  counter(options: { name: string; help: string; labelNames: ('model' | 'direction' | 'purpose')[] }): {
    inc(labels: { model: string; direction: 'in' | 'out'; purpose: TokenPurpose }, count: number): void;
  };
}

export interface TokenCount {
  answer(turn: MeteredTurn): void;
  /** The model, with its usage counted as upkeep and not reported to meters. */
  upkeep(model: LanguageModel): LanguageModel;
}

/** Counts tokens by model, direction and purpose. Labels are bounded: models are the configured ones. */
export function countTokens(metrics: TokenCounters): TokenCount {
  const tokens = metrics.counter({
    name: 'oracle_model_tokens_total',
    help: 'Input (in) and output (out) tokens of models, for answers and for titles and summaries (upkeep).',
    labelNames: ['model', 'direction', 'purpose'],
  });
  const count = (model: string, purpose: TokenPurpose, { inputTokens, outputTokens }: ModelUsage) => {
    tokens.inc({ model, direction: 'in', purpose }, inputTokens);
    tokens.inc({ model, direction: 'out', purpose }, outputTokens);
  };
  return {
    answer: (turn) => count(turn.modelId, 'answer', turn),
    upkeep: (model) => reporting(model, (usage) => count(model.id, 'upkeep', usage)),
  };
}

/** Reports the usage of each request once: as sent by the model, else estimated. A refused request has none. */
function reporting(model: LanguageModel, report: (usage: ModelUsage) => void): LanguageModel {
  return {
    ...model,
    async *stream(request, signal) {
      let said = '';
      let counted: ModelUsage | undefined;
      try {
        for await (const part of model.stream(request, signal)) {
          if (part.type === 'usage') counted = checkedUsage(part.usage, model) ?? counted;
          else if (part.type === 'text' || part.type === 'reasoning') said += part.delta;
          yield part;
        }
      } finally {
        if (counted !== undefined || said !== '') report(counted ?? estimatedUsage(request, said));
      }
    },
  };
}
