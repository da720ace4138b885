import type { FileRegistry } from '@bufbuild/protobuf';
import { intervalLoop } from '@mlango/async/interval-loop';
import { type BoundMethod, nameOfRpc, readHttpRules } from '@mlango/transcoder/http-rules';
import type { Catalog, CatalogSource } from './catalog.js';
import type { CollectedFiles } from './descriptors.js';
import { mountRoutes, type RouteTableOptions } from './routes.js';

export interface DiscoveryOptions {
  /** Builds a catalog from the node's current descriptors. */
  readonly discover: () => Promise<Catalog>;
  /** The first wait after a failure; each further one is twice as long, up to `refreshMs`. */
  readonly retryMs: number;
  /** Interval between two successful discoveries. */
  readonly refreshMs: number;
  readonly onFound: (catalog: Catalog) => void;
  readonly onFailure: (error: unknown) => void;
}

/** A catalog that is discovered with retries, and then refreshed; the last good one stays. */
export interface Discovery extends CatalogSource {
  close(): void;
}

/** Starts at once, in the background. */
export function startDiscovery(options: DiscoveryOptions): Discovery {
  const { discover, refreshMs, onFound, onFailure } = options;
  let current: Catalog | undefined;
  let failures = 0;

  async function look(signal: AbortSignal): Promise<void> {
    try {
      const catalog = await discover();
      if (signal.aborted) return;
      failures = 0;
      if (catalog !== current) onFound(catalog);
      current = catalog;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      onFailure(error);
    }
  }

  const pauseMs = () => (failures === 0 ? refreshMs : Math.min(options.retryMs * 2 ** (failures - 1), refreshMs));
  const loop = intervalLoop(look, pauseMs, { isImmediate: true });
  return {
    current: () => current,
    close: () => void loop.stop(),
  };
}

/**
 * The catalog of a node's reflection. Rules come from the node, and from `known` for rpcs that it serves without descriptors.
 * Rpcs of `known` that the node lacks are mounted as missing, so that callers get a clear error.
 */
export function discoveredCatalog(
  found: CollectedFiles,
  known: FileRegistry,
  options: Omit<RouteTableOptions, 'missing'>,
): Catalog {
  const own = readHttpRules(found.registry);
  const ownNames = new Set(own.map(({ rpc }) => nameOfRpc(rpc)));
  const others = readHttpRules(known).filter(({ rpc }) => !ownNames.has(nameOfRpc(rpc)));
  const missing = new Set(others.filter((method) => !isServed(method, found)).map(({ rpc }) => nameOfRpc(rpc)));
  return { registry: found.registry, table: mountRoutes(found.registry, [...own, ...others], { ...options, missing }) };
}

function isServed({ rpc }: BoundMethod, { services, registry }: CollectedFiles): boolean {
  const service = rpc.parent.typeName;
  if (!services.includes(service)) return false;
  const described = registry.getService(service);
  // A service without a description is assumed to be complete.
  return described === undefined || described.methods.some((method) => method.name === rpc.name);
}
