import type { LanguageModel, ModelNotes } from '../../models/language-model.js';
import { cutToTokens, estimateTokens } from '../../models/usage.js';
import type { ConversationSummary } from '../../store/summaries.js';
import type { RememberedMessage, RememberedTurn, TurnMemory } from '../../store/turn-memory.js';
import { turnLimits } from '../limits.js';
import type { Turn } from '../turn-state.js';
import { fitHistory, historyMessages } from './history.js';
import { addToSummary, type SummaryParts } from './summary.js';

/** Of a model's window: what is left of it is for instructions, tools, their results, and the answer. */
const historyShare = 0.5;

/** What a conversation is cut down to once it is too long, so that it is not cut again at each turn. */
const cutShare = 0.6;

/** Tokens of a conversation for a model that does not say how many it can hold. */
const unboundedTokens = 30_000;

/** A conversation as the model of a turn is told of it. */
export interface Conversation {
  /** Word for word, oldest first, up to and with the message to answer. */
  readonly shown: readonly RememberedMessage[];
  /** What was before those, in short. */
  readonly notes?: ModelNotes | undefined;
  /** In words for the model, that some of what was before is in neither; undefined where all of it is. */
  readonly gap?: string | undefined;
  /** The newest messages before the one to answer, shown or not: their files can be read. */
  readonly earlier: readonly RememberedMessage[];
  /** How the user wants to be talked to, where that was read as well. */
  readonly preferences?: RememberedTurn['preferences'] | undefined;
}

/**
 * Reads the conversation of a turn as far as its model can hold it. What does not fit goes into the summary of the session first,
 * which is kept for whichever replica answers next. Rejects when the messages cannot be read.
 */
export async function readConversation(
  turn: Turn,
  parts: SummaryParts & { readonly memory: TurnMemory },
): Promise<Conversation> {
  const { run, request, roomId, branch, signal } = turn;
  const { runId } = run;
  const tokens = historyTokens(request.model);
  const remembered = await parts.memory.read({ ...run, roomId, branch }, historyMessages + 1);
  const { messages: stored, summary: kept, preferences } = remembered;
  // A turn that has waited knows by itself what it has said.
  const newest = stored.filter(({ turnId, type }) => turnId !== runId || type === 'human');
  const earlier = newest.slice(0, -1);
  let summary = kept;
  const rest = (): RememberedMessage[] => newest.filter(({ place }) => place > (summary?.upTo ?? 0));
  // Deleted, or summarised by a process that has taken the session over.
  if (rest().length === 0) throw new Error('the message to answer is not there any more');
  const fitted = () => fitHistory(rest(), tokens - estimateTokens(told(summary, tokens)));
  const isWhole = fitted().left.length === 0;
  if (isWhole) return { shown: rest(), notes: notesOf(summary, tokens), earlier, preferences };

  const { kept: shown, left } = fitHistory(rest(), Math.floor(tokens * cutShare), historyMessages * cutShare);
  const upTo = left.at(-1)?.place ?? 0;
  const isBehind = () => (summary?.upTo ?? 0) < upTo;
  for (let step = 0; isBehind() && step < turnLimits.summaries; step++) {
    const next = await addToSummary(parts, turn, { summary, upTo }, signal);
    if (next === undefined) break;
    summary = next;
  }
  const notes = notesOf(summary, tokens);
  const read = { notes, earlier, preferences };
  return isBehind() ? { ...read, shown: fitted().kept, gap: gapNotice } : { ...read, shown };
}

/** How much of a conversation a model is shown, in tokens. */
export function historyTokens({ contextTokens }: Pick<LanguageModel, 'contextTokens'>): number {
  return contextTokens === undefined ? unboundedTokens : Math.floor(contextTokens * historyShare);
}

/** The summary, as much of it as goes with a conversation that is cut down. */
function told(summary: ConversationSummary | undefined, tokens: number): string {
  return cutToTokens(summary?.text ?? '', Math.floor(tokens * (1 - cutShare)));
}

function notesOf(summary: ConversationSummary | undefined, tokens: number): ModelNotes | undefined {
  return summary && { text: told(summary, tokens), sources: summary.sources };
}

const gapNotice =
  'Messages between what you know of the beginning and what you are shown are left out: there was no room for them. Where they may matter, say so.';
