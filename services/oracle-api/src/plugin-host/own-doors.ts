import type { RouteDoors } from '../plugin-kit/plugin.js';
import { PluginError } from '../plugin-kit/plugin-error.js';

/** The doors as one plugin has them: it speaks for the users that it brings along, `did:<its name>:…`, and its counts are its own. */
export function ownDoors(plugin: string, { converse, counts }: RouteDoors): RouteDoors {
  const users = `did:${plugin}:`;
  const own = (key: string) => `plugin:${plugin}:${key}`;
  return {
    async converse({ ownerDid, sessionId, requestId, text }) {
      if (!ownerDid.startsWith(users))
        throw new PluginError(`it speaks for users whose DIDs begin with "${users}" alone`);
      return converse({ ownerDid, sessionId, requestId, text });
    },
    counts: {
      hit: (key, windowMs, cost) => counts.hit(own(key), windowMs, cost),
      forget: (key, windowMs) => counts.forget(own(key), windowMs),
    },
  };
}
