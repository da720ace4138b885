import type { RateLimitPluginOptions } from '@fastify/rate-limit';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.js';

type PluginStore = NonNullable<RateLimitPluginOptions['store']>;
type Store = InstanceType<PluginStore>;

/** A store of ours as `@fastify/rate-limit` takes them: a class, with a child for each route that has a limit of its own. */
export function pluginStore(store: RateLimitStore): PluginStore {
  const countingUnder = (prefix: string): Store => ({
    incr: (key, callback, windowMs) => {
      store.hit(`${prefix}${key}`, windowMs).then(
        ({ count, resetMs }) => callback(null, { current: count, ttl: resetMs }),
        (error: unknown) => callback(error instanceof Error ? error : new Error('the store failed', { cause: error })),
      );
    },
    child: (limit) => countingUnder(`${prefix}${nameOf(limit)} `),
  });
  const whole = countingUnder('');
  return class {
    incr(...hit: Parameters<Store['incr']>) {
      whole.incr(...hit);
    }
    child(limit: Parameters<Store['child']>[0]) {
      return whole.child(limit);
    }
  };
}

/** The route that a limit is for: it is handed over within the limit's settings, otherwise than the plugin's types say. */
function nameOf(limit: object): string {
  const route = 'routeInfo' in limit ? limit.routeInfo : undefined;
  if (typeof route !== 'object' || route === null || !('method' in route) || !('url' in route)) return '';
  return `${String(route.method)} ${String(route.url)}`;
}
