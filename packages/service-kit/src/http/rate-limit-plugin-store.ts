import type { RateLimitPluginOptions } from '@fastify/rate-limit';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.js';

type PluginStore = NonNullable<RateLimitPluginOptions['store']>;
type Store = InstanceType<PluginStore>;

/** A store of ours as `@fastify/rate-limit` takes them: a class, with a child for each limit of its own. */
export function pluginStore(store: RateLimitStore): PluginStore {
  return class Counts implements Store {
    readonly #prefix: string;

    constructor(limit: object) {
      this.#prefix = prefixOf(limit);
    }

    incr(key: string, callback: Parameters<Store['incr']>[1], windowMs: number): void {
      store.hit(`${this.#prefix}${key}`, windowMs).then(
        ({ count, resetMs }) => callback(null, { current: count, ttl: resetMs }),
        (error: unknown) => callback(error instanceof Error ? error : new Error('the store failed', { cause: error })),
      );
    }

    child(limit: object): Counts {
      return new Counts(limit);
    }
  };
}

/** A limit of a route counts apart. The route is handed over within the limit's settings, otherwise than the plugin's types say. */
function prefixOf(limit: object): string {
  const route = 'routeInfo' in limit ? limit.routeInfo : undefined;
  if (typeof route !== 'object' || route === null || !('method' in route) || !('url' in route)) return '';
  return `${String(route.method)} ${String(route.url)} `;
}
