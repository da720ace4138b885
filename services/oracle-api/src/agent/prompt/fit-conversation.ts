import type { LanguageModel, ModelNotes } from '../../models/language-model.js';
import { cutToTokens, estimateTokens } from '../../models/usage.js';
import type { ConversationSummary } from '../../store/summaries.js';
import type { RememberedMessage, RememberedTurn, TurnMemory } from '../../store/turn-memory.js';
import { turnLimits } from '../fixed-limits.js';
import type { Turn } from '../turn.js';
import { fitHistory, historyMessages } from './history.js';
import { addToSummary, type SummaryParts } from './write-summary.js';

/** Share of the context window for the history; the rest is for instructions, tools, results and the answer. */
const historyShare = 0.5;

/** Target share after a cut, so that the history is not cut again at each turn. */
const cutShare = 0.6;

/** History tokens for a model without a context size. */
const unboundedTokens = 30_000;

/** A conversation as sent to the model of a turn. */
export interface Conversation {
  /** Unabridged messages, oldest first, up to and including the message to answer. */
  readonly shown: readonly RememberedMessage[];
  /** Summary of the messages before those. */
  readonly notes?: ModelNotes | undefined;
  /** Note for the model that messages are missing from both; undefined when none are. */
  readonly gap?: string | undefined;
  /** The newest messages before the one to answer, sent or not: their files can be read. */
  readonly earlier: readonly RememberedMessage[];
  /** The user's preferences, if they were read too. */
  readonly preferences?: RememberedTurn['preferences'] | undefined;
}

/**
 * Reads the conversation of a turn within the limits of its model. Turns that do not fit are summarised first; the summary is stored
 * for all replicas. Rejects when the messages cannot be read.
 */
export async function readConversation(
  turn: Turn,
  parts: SummaryParts & { readonly memory: TurnMemory },
): Promise<Conversation> {
  const { run, request, roomId, branch, signal } = turn;
  const { runId } = run;
  const tokens = historyTokens(request.model);
  const remembered = await parts.memory.read({ ...run, roomId, branch }, historyMessages + 1);
  const { messages: stored, summary: storedSummary, preferences } = remembered;
  // A resumed turn already has its own messages.
  const newest = stored.filter(({ turnId, type }) => turnId !== runId || type === 'human');
  const earlier = newest.slice(0, -1);
  let summary = storedSummary;
  const rest = (): RememberedMessage[] => newest.filter(({ place }) => place > (summary?.upTo ?? 0));
  // Deleted, or summarised by a process that took over the session.
  if (rest().length === 0) throw new Error('the message to answer is not there any more');
  const fitted = () => fitHistory(rest(), tokens - estimateTokens(summaryText(summary, tokens)));
  const isWhole = fitted().left.length === 0;
  if (isWhole) return { shown: rest(), notes: notesOf(summary, tokens), earlier, preferences };

  const { fitted: shown, left } = fitHistory(rest(), Math.floor(tokens * cutShare), historyMessages * cutShare);
  const upTo = left.at(-1)?.place ?? 0;
  const isBehind = () => (summary?.upTo ?? 0) < upTo;
  for (let step = 0; isBehind() && step < turnLimits.summaries; step++) {
    const next = await addToSummary(parts, turn, { summary, upTo }, signal);
    if (next === undefined) break;
    summary = next;
  }
  const notes = notesOf(summary, tokens);
  const read = { notes, earlier, preferences };
  return isBehind() ? { ...read, shown: fitted().fitted, gap: gapNotice } : { ...read, shown };
}

/** Tokens of the history for a model. */
export function historyTokens({ contextTokens }: Pick<LanguageModel, 'contextTokens'>): number {
  return contextTokens === undefined ? unboundedTokens : Math.floor(contextTokens * historyShare);
}

/** The summary, cut to the share left by the history. */
function summaryText(summary: ConversationSummary | undefined, tokens: number): string {
  return cutToTokens(summary?.text ?? '', Math.floor(tokens * (1 - cutShare)));
}

function notesOf(summary: ConversationSummary | undefined, tokens: number): ModelNotes | undefined {
  return summary && { text: summaryText(summary, tokens), sources: summary.sources };
}

const gapNotice =
  'Messages between what you know of the beginning and what you are shown are left out: there was no room for them. Where they may matter, say so.';
