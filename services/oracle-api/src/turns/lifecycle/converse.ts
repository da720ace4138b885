import type { ModelCatalog } from '../../models/model-catalog.js';
import type { ConversationStore } from '../../store/conversation-store.js';
import { type PaymentGate, type PaymentRequired, whenPaid } from './payment-gate.js';
import type { TurnOutcome } from './turn-outcome.js';
import type { SendResult } from './turn-request.js';
import type { Turns } from './turns.js';

/** What somebody said to the oracle by a door of a plugin. */
export interface Said {
  readonly ownerDid: string;
  /** Opened when the owner has no session of that id yet. */
  readonly sessionId: string;
  /** Used once in a session. */
  readonly requestId: string;
  readonly text: string;
}

export type Heard =
  | { readonly kind: 'answered'; readonly outcome: TurnOutcome }
  | PaymentRequired
  | { readonly kind: Exclude<SendResult['kind'], 'started'> };

/** Answers as for a message over HTTP, payment included. Rejects when the stores or the gate cannot be reached. */
export type Converse = (said: Said) => Promise<Heard>;

export interface ConverseParts {
  readonly conversations: ConversationStore;
  readonly turns: Turns;
  readonly models: ModelCatalog;
  readonly gate: PaymentGate;
  readonly now: () => Date;
  readonly newId: () => string;
}

export function converseWith({ conversations, turns, models, gate, now, newId }: ConverseParts): Converse {
  return async ({ ownerDid, sessionId, requestId, text }) => {
    const runId = newId();
    const sent = await whenPaid(gate, { ownerDid, sessionId, runId }, async () => {
      const model = models.find(undefined);
      if (model === undefined) throw new Error('there is no model');
      await openSession(conversations, ownerDid, { sessionId, createdAt: now() });
      return turns.send({ runId, ownerDid, sessionId, requestId, message: text, model, isFollowed: false });
    });
    return sent.kind === 'started' ? { kind: 'answered', outcome: await sent.finished } : sent;
  };
}

async function openSession(
  conversations: ConversationStore,
  ownerDid: string,
  session: { sessionId: string; createdAt: Date },
): Promise<void> {
  const isThere = async () => (await conversations.findSession(ownerDid, session.sessionId)) !== undefined;
  if (await isThere()) return;
  try {
    await conversations.createSession(ownerDid, session);
  } catch (error) {
    // Two messages at once may both want to open it.
    if (!(await isThere())) throw error;
  }
}
