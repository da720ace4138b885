import { sha256 } from '@mlango/crypto/hashing';
import type { RunStart } from '../../runs/log/store.js';
import type { UsageMeter } from '../../runs/payment.js';
import type { ConversationStore } from '../../store/conversation-store.js';
import type { PreferencesStore } from '../../store/preferences.js';
import type { Grants, OfUser } from '../api/grants.js';
import type { OraclePlugin } from '../api/plugin.js';
import { PluginError } from '../api/plugin-error.js';
import type { TurnObjects } from './turn-objects.js';

/** The user that a plugin serves in a request or a turn. */
export interface Caller {
  readonly did: string;
  /** The Matrix room of the session that the turn is in, if it has one. */
  readonly roomId?: string | undefined;
  /** The turn, if there is one. */
  readonly turn?: RunStart & { readonly modelId: string };
  /** Requests of plugins to the model of the turn. */
  readonly objects?: TurnObjects;
}

/**
 * Users by object identity of a request or of `rtCtx.user`. A plugin cannot change the user by writing into the object or
 * by copying it.
 */
export class Callers {
  readonly #known = new WeakMap<object, Caller>();

  add(whom: object, caller: Caller): void {
    this.#known.set(whom, caller);
  }

  /** Afterwards the object identifies no user. */
  drop(whom: object): void {
    this.#known.delete(whom);
  }

  /** @throws PluginError for an unknown object. */
  of(whom: object): Caller {
    const caller = this.#known.get(whom);
    if (caller === undefined) throw new PluginError('the request is not authenticated');
    return caller;
  }
}

export interface GrantSources {
  readonly callers: Callers;
  readonly preferences: PreferencesStore;
  readonly conversations: Pick<ConversationStore, 'findSession' | 'listSessions' | 'findMessage' | 'newestMessages'>;
  readonly meters: () => readonly UsageMeter[];
  readonly newId: () => string;
}

const chargeTokens = 1_000_000;
const listed = 100;

/** The grants that the manifest of a plugin requests, and no others. */
export function grantsFor(
  sources: GrantSources,
  { name, manifest: { needs = [] } }: Pick<OraclePlugin, 'name' | 'manifest'>,
): Partial<Grants> {
  const all = allGrants(sources, name);
  return Object.freeze(Object.fromEntries(needs.map((need) => [need, Object.freeze(all[need])])));
}

function allGrants({ callers, preferences, conversations, meters, newId }: GrantSources, plugin: string): Grants {
  const ofUser = <Theirs>(open: (caller: Caller) => Theirs): OfUser<Theirs> => ({
    of: (whom) => open(callers.of(whom)),
  });
  return {
    'preferences:write': ofUser(({ did, roomId }) => ({
      find: () => preferences.find(did, roomId),
      merge: (changes, at) => preferences.merge(did, changes, at, roomId),
      replace: (record, at) => preferences.replace(did, record, at),
    })),
    'sessions:read': ofUser(({ did }) => ({
      find: (sessionId) => conversations.findSession(did, sessionId),
      list: ({ limit, offset }) => conversations.listSessions(did, { limit: bounded(limit), offset }),
      message: (sessionId, messageId) => conversations.findMessage(did, sessionId, messageId),
      messages: (sessionId, limit) => conversations.newestMessages(did, sessionId, bounded(limit)),
    })),
    'model:object': ofUser(({ objects }) => {
      if (objects === undefined) throw new PluginError('model.object is available only for the user of a running turn');
      return objects.of(plugin);
    }),
    'credits:charge': ofUser(({ turn }) => {
      if (turn === undefined) throw new PluginError('only the user of a running turn can be charged');
      return {
        charge: async (tokens, idempotencyKey) => {
          if (!Number.isInteger(tokens) || tokens < 1 || tokens > chargeTokens) {
            throw new PluginError(`a charge is 1 to ${chargeTokens} tokens`);
          }
          // The id makes a charge idempotent; the usage of the turn has the run's id.
          const chargeId = idempotencyKey === undefined ? newId() : `${turn.runId}~${idOf([plugin, idempotencyKey])}`;
          const charge = {
            ...turn,
            runId: chargeId,
            part: 0,
            inputTokens: tokens,
            outputTokens: 0,
            isEstimated: false,
          };
          await Promise.all(meters().map(async (meter) => meter.record(charge)));
          return meters().length > 0;
        },
      };
    }),
  };
}

/** A short id derived from the parts. */
function idOf(words: readonly string[]): string {
  return sha256(JSON.stringify(words)).toString('base64url').slice(0, 22);
}

function bounded(limit: number): number {
  return Math.min(Math.max(Math.trunc(limit) || 1, 1), listed);
}
