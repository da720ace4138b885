import type { ModelCatalog } from '../../models/model-catalog.js';
import type { ConversationStore } from '../../store/conversation-store.js';
import type { PaymentDemand, PaymentGate } from './payment-gate.js';
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
  | { readonly kind: 'payment_required'; readonly demand: PaymentDemand }
  | { readonly kind: Exclude<SendResult['kind'], 'started'> };

/** Answers as for a message over HTTP, payment included. Rejects when the stores or the gate cannot be reached. */
export type Converse = (said: Said) => Promise<Heard>;

export interface ConverseParts {
  readonly conversations: ConversationStore;
  readonly turns: Turns;
  readonly models: ModelCatalog;
  readonly gate: PaymentGate;
  readonly now: () => Date;
}

export function converseWith({ conversations, turns, models, gate, now }: ConverseParts): Converse {
  return async ({ ownerDid, sessionId, requestId, text }) => {
    const demand = await gate.demandOf({ ownerDid, sessionId });
    if (demand !== undefined) return { kind: 'payment_required', demand };
    const model = models.find(undefined);
    if (model === undefined) throw new Error('there is no model');
    await openSession(conversations, ownerDid, { sessionId, createdAt: now() });
    const sent = await turns.send({ ownerDid, sessionId, requestId, message: text, model, isFollowed: false });
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
