import { estimateTokens } from '../../models/estimate-tokens.js';
import type { ModelFile, ModelRequest, ModelTool, ModelUsage } from '../../models/language-model.js';

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
