import { within } from '@mlango/async/within';
import type { LanguageModel, ModelFile, ModelRequest, ModelTool, ModelUsage } from '../models/language-model.js';
import { checkedUsage, estimateTokens } from '../models/usage.js';
import type { MeteredTurn, PaymentGate, UsageMeter } from '../runs/payment.js';
import { isLive } from '../runs/run.js';
import type { RunRepository } from '../runs/run-repository.js';
import type { UsageOutbox } from '../runs/usage-outbox.js';

/** Model usage of a turn. */
export interface TurnUsage extends ModelUsage {
  /** Whether a part is estimated: for aborted steps, and for models that do not report usage. */
  readonly isEstimated: boolean;
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
  output: string,
): TurnUsage {
  const { instructions = '', notes, messages, tools = [] } = request;
  const calls = messages.flatMap(({ toolCalls }) => toolCalls ?? []);
  const texts = [instructions, notes?.text ?? '', ...messages.map(({ content }) => content)];
  const files = messages.flatMap((message) => message.files ?? []).reduce((sum, file) => sum + fileTokens(file), 0);
  const read = texts.reduce((sum, text) => sum + estimateTokens(text), files);
  const made = calls.length === 0 ? 0 : estimateTokens(JSON.stringify(calls));
  const offered = tools.reduce((sum, tool) => sum + toolTokens(tool), 0);
  return { inputTokens: read + made + offered, outputTokens: estimateTokens(output), isEstimated: true };
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
    help: 'Tokens of models: input (in) and output (out), for answers and for titles and summaries (upkeep).',
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
      let output = '';
      let counted: ModelUsage | undefined;
      try {
        for await (const part of model.stream(request, signal)) {
          if (part.type === 'usage') counted = checkedUsage(part.usage, model) ?? counted;
          else if (part.type === 'text' || part.type === 'reasoning') output += part.delta;
          yield part;
        }
      } finally {
        if (counted !== undefined || output !== '') report(counted ?? estimatedUsage(request, output));
      }
    },
  };
}

export interface MeterParts {
  readonly meters: readonly UsageMeter[];
  readonly log: { error(fields: object, text: string): void };
}

/** Timeout of one report; it is retried later. */
const reportTimeoutMs = 5_000;

/** Concurrent reports, and reports per round. */
const concurrentReports = 20;
const reportsPerRound = 500;

/** Reports usage to each meter; false when one failed. Never rejects. */
export async function reportUsage({ meters, log }: MeterParts, turn: MeteredTurn): Promise<boolean> {
  const reported = meters.map(async (meter) => {
    try {
      await within(reportTimeoutMs, 'record', (async () => meter.record(turn))());
      return true;
    } catch (err) {
      log.error({ err, runId: turn.runId }, 'usage not reported, will retry');
      return false;
    }
  });
  return (await Promise.all(reported)).every(Boolean);
}

/** The payment gate, and usage not reported yet. */
export interface HoldParts {
  readonly usageOutbox: UsageOutbox;
  readonly gate: Pick<PaymentGate, 'release'>;
  readonly log: MeterParts['log'];
}

/** Usage of a run at its end, if any. */
export interface UsageAtEnd {
  readonly metered: MeteredTurn | undefined;
  /** Whether all meters acknowledged it. */
  readonly isReported: boolean;
  /** The run was suspended, so earlier parts may be unreported. */
  readonly hasWaited: boolean;
}

/**
 * Ends a run and releases its payment hold. The hold is released first, so that a crash does not keep it, unless usage is unreported:
 * then the process that reports the last part releases it. A failed release is retried with a repeated report, which meters count once.
 *
 * @param end receives the usage to report later
 */
export async function endAndRelease(
  { usageOutbox: store, gate, log }: HoldParts,
  runId: string,
  { metered, isReported, hasWaited }: UsageAtEnd,
  end: (unreported: MeteredTurn | undefined) => Promise<unknown>,
): Promise<void> {
  const releaseHold = () => tryRelease({ gate, log }, runId);
  const isOwed = !isReported || (hasWaited && (await store.has(runId)));
  const isFree = !isOwed && (await releaseHold());
  await end(isReported && (isFree || isOwed) ? undefined : metered);
  // The usage may have been reported before the run ended, or there is none.
  if (!isFree && !(await store.has(runId))) await releaseHold();
}

/** Releases the payment hold of a run; false when that failed. Never rejects. */
async function tryRelease({ gate, log }: Pick<HoldParts, 'gate' | 'log'>, runId: string): Promise<boolean> {
  try {
    await gate.release?.(runId);
    return true;
  } catch (err) {
    log.error({ err, runId }, 'payment hold not released, will retry');
    return false;
  }
}

export interface RetryParts extends MeterParts, HoldParts {
  readonly runRepository: Pick<RunRepository, 'find'>;
}

/**
 * Retries reports of any process, and releases the payment hold of an ended run with its last part. The report of a hold that cannot be
 * released is repeated later. Rejects when the store is unavailable.
 */
export async function retryUsageReports(parts: RetryParts): Promise<void> {
  const { usageOutbox, runRepository } = parts;
  const hasEnded = async ({ ownerDid, runId }: MeteredTurn) => {
    const { status = 'finished' } = (await runRepository.find(ownerDid, runId)) ?? {};
    return !isLive(status) && status !== 'waiting';
  };
  const retry = async (turn: MeteredTurn) => {
    const { runId, part } = turn;
    if (!(await reportUsage(parts, turn))) return false;
    const isLast = !(await usageOutbox.has(runId, part));
    // The report stays for the next attempt; the round continues.
    if (isLast && (await hasEnded(turn)) && !(await tryRelease(parts, runId))) return true;
    await usageOutbox.drop(turn);
    // Another part may have been reported at the same time.
    if (!isLast && !(await usageOutbox.has(runId)) && (await hasEnded(turn))) await tryRelease(parts, runId);
    return true;
  };
  for (let seen = 0; seen < reportsPerRound; seen += concurrentReports) {
    const reported = await Promise.all((await usageOutbox.take(concurrentReports)).map(retry));
    if (reported.length < concurrentReports || reported.includes(false)) break;
  }
}
