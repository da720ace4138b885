import type { Grant, Grants, OfUser } from '../plugin-kit/grants.js';
import { PluginError } from '../plugin-kit/plugin-error.js';
import type { ConversationStore } from '../store/conversation-store.js';
import type { PreferencesStore } from '../store/preferences-store.js';
import type { UsageMeter } from '../turns/after/turn-usage.js';
import type { Caller, Callers } from './callers.js';

export interface GrantSources {
  readonly callers: Callers;
  readonly preferences: PreferencesStore;
  readonly conversations: Pick<ConversationStore, 'findSession' | 'listSessions' | 'newestMessages'>;
  readonly meters: () => readonly UsageMeter[];
  readonly newId: () => string;
}

const chargeTokens = 1_000_000;
const listed = 100;

/** Of all there is to be granted what a plugin asks for, and no other. */
export function grantsOf(sources: GrantSources, needs: readonly Grant[]): Partial<Grants> {
  const all = allGrants(sources);
  return Object.freeze(Object.fromEntries(needs.map((name) => [name, Object.freeze(all[name])])));
}

function allGrants({ callers, preferences, conversations, meters, newId }: GrantSources): Grants {
  const ofUser = <Theirs>(open: (caller: Caller) => Theirs): OfUser<Theirs> => ({
    of: (whom) => open(callers.of(whom)),
  });
  return {
    'preferences:write': ofUser(({ did, roomId }) => ({
      find: () => preferences.find(did, roomId),
      merge: (changes, at) => preferences.merge(did, changes, at, roomId),
    })),
    'sessions:read': ofUser(({ did }) => ({
      find: (sessionId) => conversations.findSession(did, sessionId),
      list: ({ limit, offset }) => conversations.listSessions(did, { limit: bounded(limit), offset }),
      messages: (sessionId, limit) => conversations.newestMessages(did, sessionId, bounded(limit)),
    })),
    'credits:charge': ofUser(({ turn }) => {
      if (turn === undefined) throw new PluginError('only the user of a turn under way can be charged');
      return {
        charge: async (tokens) => {
          if (!Number.isInteger(tokens) || tokens < 1 || tokens > chargeTokens) {
            throw new PluginError(`a charge is 1 to ${chargeTokens} tokens`);
          }
          // A charge is known by an id of its own, as the usage of the turn is by its run's.
          const charge = { ...turn, runId: newId(), part: 0, inputTokens: tokens, outputTokens: 0, isEstimated: false };
          await Promise.all(meters().map(async (meter) => meter.record(charge)));
          return meters().length > 0;
        },
      };
    }),
  };
}

function bounded(limit: number): number {
  return Math.min(Math.max(Math.trunc(limit) || 1, 1), listed);
}
