import type { LanguageModel } from '../../models/language-model.js';
import type { RunStart } from '../../runs/run-store.js';
import type { ConversationStore, PlacedMessage } from '../../store/conversation-store.js';
import type { ConversationSummary, SummaryStore } from '../../store/summary-store.js';
import type { Turn } from '../lifecycle/turn.js';
import { historyMessages } from './fit-history.js';
import { type TurnMessages, writeSummary } from './write-summary.js';

export interface SummaryParts {
  readonly conversations: Pick<ConversationStore, 'messagesUpTo'>;
  readonly summaries: Pick<SummaryStore, 'advance'>;
  /** Writes the summaries. One that does not say how many tokens it can hold is no such model. */
  readonly small: LanguageModel;
  readonly now: () => Date;
  readonly log: { error(fields: object, text: string): void };
}

/**
 * Takes the oldest turns that are not in the summary of a conversation into it, as many as can be read at once and none after the
 * place `upTo`, and keeps it. Undefined when there is nobody to write it, or it could not be written. Never rejects.
 */
export async function addToSummary(
  parts: SummaryParts,
  { run, branch, request }: Pick<Turn, 'run' | 'branch' | 'request'>,
  { summary, upTo }: { readonly summary: ConversationSummary | undefined; readonly upTo: number },
  signal: AbortSignal,
): Promise<ConversationSummary | undefined> {
  const { small, summaries, now, log } = parts;
  if (small.contextTokens === undefined) return undefined;
  let next: ConversationSummary | undefined;
  try {
    const turns = (await oldestTurns(parts, run, summary?.upTo ?? 0)).filter(([first]) => first.place <= upTo);
    const payer = { userId: run.ownerDid, address: request.address };
    next = await writeSummary({ model: small, before: summary, turns, now: now(), ...payer, signal });
    await summaries.advance(run.ownerDid, run.sessionId, next, now(), branch);
  } catch (err) {
    // One that is written and could not be kept will do for this turn.
    if (!signal.aborted) log.error({ err, runId: run.runId }, 'conversation not summarised');
  }
  return next;
}

async function oldestTurns(
  { conversations }: SummaryParts,
  { ownerDid, sessionId, runId }: RunStart,
  after: number,
): Promise<TurnMessages[]> {
  const oldest = await conversations.messagesUpTo(ownerDid, sessionId, runId, { limit: historyMessages + 1, after });
  const turns: [PlacedMessage, ...PlacedMessage[]][] = [];
  for (const message of oldest) {
    const last = turns.at(-1);
    if (last?.[0].place === message.place) last.push(message);
    else turns.push([message]);
  }
  // The last one may have more messages than were read.
  return turns.slice(0, -1);
}
