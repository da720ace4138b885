import type { LanguageModel, ModelFile, ModelRequest, ModelTool, ModelUsage } from '../models/language-model.js';
import { checkedUsage, estimateTokens } from '../models/usage.js';

/** What a model took for a turn. */
export interface TurnUsage extends ModelUsage {
  /** Whether some of it is an estimate: of steps that were cut short, and of models that do not count. */
  readonly isEstimated: boolean;
}

/** Who used what. */
export interface MeteredTurn extends TurnUsage {
  readonly ownerDid: string;
  readonly sessionId: string;
  readonly requestId: string;
  readonly runId: string;
  /** 0, and one more for each time that the turn has waited for its user: what it took until then was told before. */
  readonly part: number;
  readonly modelId: string;
  /** Set when the turn waits for its user: until then it may go on. */
  readonly waitsUntil?: Date;
}

/**
 * Is told of each turn that asked its model, also of one that failed or was stopped, and of one whose process was killed: by an
 * estimate. What has to be counted once is counted by `runId` and `part`: where a process was killed while a turn ended, or
 * another meter failed, the same is told again.
 *
 * Failure: once it has resolved, a meter keeps what it was told. One that rejects or takes longer than 5 seconds is told again, by any
 * process, until it resolves, and keeps neither the answer nor the other meters from anything.
 */
export interface UsageMeter {
  /** Whether users pay for what it is told: a credit for each token. Their clients are told so at the end of a turn. */
  readonly charges?: boolean;
  record(turn: MeteredTurn): Promise<void> | void;
}

export const noUsage: TurnUsage = { inputTokens: 0, outputTokens: 0, isEstimated: false };

/** Two steps of a turn as one. */
export function addUsage(one: TurnUsage, other: TurnUsage): TurnUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    isEstimated: one.isEstimated || other.isEstimated,
  };
}

/** Tokens of a file that a model receives unchanged, whatever is in it. */
const mediaTokens = 1_000;

function fileTokens(file: ModelFile): number {
  if ('bytes' in file) return mediaTokens;
  if (file.kind === 'named') return estimateTokens(file.filename);
  return estimateTokens(file.kind === 'text' ? file.text : file.reason);
}

/** What is told of a tool is the same from turn to turn. */
const knownToolTokens = new WeakMap<ModelTool, number>();

function toolTokens(tool: ModelTool): number {
  const tokens = knownToolTokens.get(tool) ?? estimateTokens(JSON.stringify(tool));
  knownToolTokens.set(tool, tokens);
  return tokens;
}

/** What a step took whose model did not say: the tokens went even if nobody counted them. */
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

/** `answer`: what users asked for. `upkeep`: titles and summaries, which nobody is charged for. */
export type TokenPurpose = 'answer' | 'upkeep';

/** What is needed of the metrics of a process. */
export interface TokenCounters {
  counter(options: { name: string; help: string; labelNames: ('model' | 'direction' | 'purpose')[] }): {
    inc(labels: { model: string; direction: 'in' | 'out'; purpose: TokenPurpose }, count: number): void;
  };
}

export interface TokenCount {
  answer(turn: MeteredTurn): void;
  /** The model, what it takes counted as upkeep: no meter hears of it, so no user pays for it. */
  upkeep(model: LanguageModel): LanguageModel;
}

/** Counts the tokens that models took, by model, direction and purpose. Models are few: the ones that are configured. */
export function countTokens(metrics: TokenCounters): TokenCount {
  const tokens = metrics.counter({
    name: 'oracle_model_tokens_total',
    help: 'Tokens read by models (in) and written by them (out), for answers and for titles and summaries (upkeep).',
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

/** Says what each request took, once: as the model counted it, else by an estimate; nothing for one that was refused. */
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
