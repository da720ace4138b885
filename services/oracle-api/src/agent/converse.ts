import { ServiceError } from '@mlango/service-kit/errors';
import type { ModelCatalog } from '../models/model-catalog.js';
import type { ConversationStore } from '../store/conversation-store.js';
import type { SessionNames } from '../store/session-names.js';

import { type AdmissionParts, admit, type PaymentRequired } from './admission.js';
import type { SendResult, TurnOutcome } from './turn.js';
import type { Turns } from './turns.js';

/** A message of a user to the oracle through a plugin. */
export interface PluginMessage {
  readonly ownerDid: string;
  /** The plugin's name of the conversation, unique for this user. Its session is opened if absent. */
  readonly conversation: string;
  /** Used once in a session. */
  readonly requestId: string;
  readonly text: string;
}

export type PluginReply =
  | { readonly kind: 'answered'; readonly outcome: TurnOutcome }
  | PaymentRequired
  /** A limit of the user or of the service; `message` is for the user. */
  | { readonly kind: 'limited'; readonly message: string }
  | { readonly kind: Exclude<SendResult['kind'], 'started'> };

/**
 * Answers as for a message over HTTP, payment included. Rejects when the stores or the gate are unavailable, or the session cannot be
 * opened.
 */
export type Converse = (message: PluginMessage) => Promise<PluginReply>;

/** The same for every plugin, by its name. */
export type ConverseOfPlugin = (plugin: string, message: PluginMessage) => Promise<PluginReply>;

export interface ConverseParts extends AdmissionParts {
  readonly conversations: Pick<ConversationStore, 'createSession'>;
  readonly sessionNames: SessionNames;
  readonly turns: Turns;
  readonly models: ModelCatalog;
  readonly now: () => Date;
  readonly newId: () => string;
}

export function converseWith(parts: ConverseParts): ConverseOfPlugin {
  const { conversations, sessionNames, turns, models, now, newId } = parts;
  return async (plugin, { ownerDid, conversation, requestId, text }) => {
    const runId = newId();
    const create = (id: string) => conversations.createSession(ownerDid, { sessionId: id, createdAt: now() });
    const sessionId = await sessionNames.openOfPlugin(plugin, ownerDid, conversation, create);
    const message = { ownerDid, sessionId, runId, address: undefined, message: text };
    const sent = await admit(parts, message, async (allowed) => {
      const model = models.find(undefined);
      if (model === undefined) throw new Error('there is no model');
      return turns.send({ runId, allowed, ownerDid, sessionId, requestId, message: text, model, isFollowed: false });
    }).catch((error: unknown): PluginReply => {
      if (error instanceof ServiceError && error.limiter !== undefined)
        return { kind: 'limited', message: error.message };
      throw error;
    });
    return sent.kind === 'started' ? { kind: 'answered', outcome: await sent.finished } : sent;
  };
}
