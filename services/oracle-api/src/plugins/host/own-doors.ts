import type { ConverseOfPlugin } from '../../agent/converse.js';
import type { RouteDoors } from '../api/plugin.js';
import { PluginError } from '../api/plugin-error.js';

/** What the host has for the routes of all plugins. */
export interface HostDoors extends Pick<RouteDoors, 'counts'> {
  readonly converse: ConverseOfPlugin;
}

/** The doors as one plugin has them: it speaks for the users that it brings along, `did:<its name>:…`, and its counts are its own. */
export function ownDoors(plugin: string, { converse, counts }: HostDoors): RouteDoors {
  const users = `did:${plugin}:`;
  const own = (key: string) => `plugin:${plugin}:${key}`;
  return {
    async converse({ ownerDid, conversation, requestId, text }) {
      if (!ownerDid.startsWith(users))
        throw new PluginError(`it speaks for users whose DIDs begin with "${users}" alone`);
      return converse(plugin, { ownerDid, conversation, requestId, text });
    },
    counts: {
      hit: (key, windowMs, cost) => counts.hit(own(key), windowMs, cost),
      forget: (key, windowMs) => counts.forget(own(key), windowMs),
    },
  };
}
