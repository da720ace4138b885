import { estimateTokens } from '../../models/estimate-tokens.js';
import type { LanguageModel } from '../../models/language-model.js';
import type { RunStart } from '../../runs/run-store.js';
import type { StoredMessage } from '../../store/conversation-store.js';
import { fitHistory } from './fit-history.js';
import { writeSummary } from './write-summary.js';

/** Of a model's window: what is left of it is for instructions, tools, their results, and the answer. */
const historyShare = 0.5;

/** What a conversation is cut down to once it is too long, so that it is not cut again at each turn. */
const cutShare = 0.6;

/** Tokens of a conversation for a model that does not say how many it can hold. */
const unboundedTokens = 30_000;

/** Sessions whose summaries are held. */
const heldSessions = 1_000;

export interface SummaryParts {
  /** Writes the summaries. One that does not say how many tokens it can hold is no such model. */
  readonly small: LanguageModel;
  readonly now: () => Date;
  readonly log: { error(fields: object, text: string): void };
}

interface Summary {
  /** The last message that is in it. */
  readonly upTo: string;
  readonly text: string;
}

/**
 * Cuts conversations to what a model can hold, and keeps what fell out as a summary. The summaries are of this process: where
 * one is missing it is written anew.
 */
export class ConversationSummaries {
  readonly #parts: SummaryParts;
  readonly #held = new Map<string, Summary>();

  constructor(parts: SummaryParts) {
    this.#parts = parts;
  }

  /** What is kept of a conversation, and in words for the model what was before. Without a summary that is nothing. */
  async fit(
    { sessionId, ownerDid }: Pick<RunStart, 'sessionId' | 'ownerDid'>,
    stored: readonly StoredMessage[],
    { contextTokens }: LanguageModel,
    signal: AbortSignal,
  ): Promise<{ kept: readonly StoredMessage[]; summary?: string }> {
    const tokens = contextTokens === undefined ? unboundedTokens : Math.floor(contextTokens * historyShare);
    const held = this.#held.get(sessionId);
    const from = held === undefined ? -1 : stored.findIndex(({ messageId }) => messageId === held.upTo);
    const rest = from === -1 ? stored : stored.slice(from + 1);
    const known = from === -1 ? undefined : held;
    const room = tokens - estimateTokens(known?.text ?? '');
    if (fitHistory(rest, room).left.length === 0) {
      return { kept: rest, ...(known === undefined ? {} : { summary: told(known.text) }) };
    }
    const { kept, left } = fitHistory(rest, Math.floor(tokens * cutShare));
    const text = await this.#write(known?.text, left, ownerDid, signal);
    const upTo = left.at(-1)?.messageId;
    if (text === undefined || upTo === undefined) return { kept };
    this.#hold(sessionId, { upTo, text });
    return { kept, summary: told(text) };
  }

  /** The session is gone. */
  forget(sessionId: string): void {
    this.#held.delete(sessionId);
  }

  /** Undefined when there is nobody to write it, or it could not be written: the turn goes on without. */
  async #write(
    before: string | undefined,
    left: readonly StoredMessage[],
    userId: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { small, now, log } = this.#parts;
    if (small.contextTokens === undefined) return undefined;
    try {
      return await writeSummary({ model: small, before, left, now: now(), userId, signal });
    } catch (err) {
      if (!signal.aborted) log.error({ err }, 'conversation not summarised');
      return undefined;
    }
  }

  #hold(sessionId: string, summary: Summary): void {
    this.#held.delete(sessionId);
    this.#held.set(sessionId, summary);
    if (this.#held.size <= heldSessions) return;
    const oldest = this.#held.keys().next();
    if (oldest.done !== true) this.#held.delete(oldest.value);
  }
}

function told(text: string): string {
  return `What was said before, in short:\n${text}`;
}
