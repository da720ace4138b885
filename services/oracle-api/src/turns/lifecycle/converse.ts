import type { ModelCatalog } from '../../models/model-catalog.js';
import type { ConversationStore } from '../../store/conversation-store.js';
import type { SessionNames } from '../../store/session-names.js';
import { type PaymentGate, type PaymentRequired, whenPaid } from './payment-gate.js';
import type { TurnOutcome } from './turn-outcome.js';
import type { SendResult } from './turn-request.js';
import type { Turns } from './turns.js';

/** A message of a user to the oracle through a plugin. */
export interface Said {
  readonly ownerDid: string;
  /** The plugin's name of the conversation, unique for this user. Its session is opened where there is none. */
  readonly conversation: string;
  /** Used once in a session. */
  readonly requestId: string;
  readonly text: string;
}

export type Heard =
  | { readonly kind: 'answered'; readonly outcome: TurnOutcome }
  | PaymentRequired
  | { readonly kind: Exclude<SendResult['kind'], 'started'> };

/** Answers as for a message over HTTP, payment included. Rejects when the stores or the gate cannot be reached, or the session cannot be opened. */
export type Converse = (said: Said) => Promise<Heard>;

/** The same for every plugin, by its name. */
export type ConverseOfPlugin = (plugin: string, said: Said) => Promise<Heard>;

export interface ConverseParts {
  readonly conversations: Pick<ConversationStore, 'createSession'>;
  readonly sessionNames: SessionNames;
  readonly turns: Turns;
  readonly models: ModelCatalog;
  readonly gate: PaymentGate;
  readonly now: () => Date;
  readonly newId: () => string;
}

export function converseWith(parts: ConverseParts): ConverseOfPlugin {
  const { conversations, sessionNames, turns, models, gate, now, newId } = parts;
  return async (plugin, { ownerDid, conversation, requestId, text }) => {
    const runId = newId();
    const create = (id: string) => conversations.createSession(ownerDid, { sessionId: id, createdAt: now() });
    const sessionId = await sessionNames.openOfPlugin(plugin, ownerDid, conversation, create);
    const sent = await whenPaid(gate, { ownerDid, sessionId, runId }, async () => {
      const model = models.find(undefined);
      if (model === undefined) throw new Error('there is no model');
      return turns.send({ runId, ownerDid, sessionId, requestId, message: text, model, isFollowed: false });
    });
    return sent.kind === 'started' ? { kind: 'answered', outcome: await sent.finished } : sent;
  };
}
