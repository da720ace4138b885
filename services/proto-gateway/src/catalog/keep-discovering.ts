import type { Catalog, CatalogSource } from './catalog.js';

export interface DiscoveryOptions {
  /** Makes a catalog of what the node says now. */
  readonly discover: () => Promise<Catalog>;
  /** The first wait after a failure; each further one is twice as long, up to `refreshMs`. */
  readonly retryMs: number;
  /** How often a node that has answered is asked again. */
  readonly refreshMs: number;
  readonly onFound: (catalog: Catalog) => void;
  readonly onFailure: (error: unknown) => void;
}

/** A catalog that is looked for until it is found, and then looked at again; the last good one stays. */
export interface Discovery extends CatalogSource {
  close(): void;
}

/** Begins at once, in the background. */
export function keepDiscovering(options: DiscoveryOptions): Discovery {
  const { discover, refreshMs, onFound, onFailure } = options;
  let current: Catalog | undefined;
  let waitMs = options.retryMs;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    let nextMs = refreshMs;
    try {
      const catalog = await discover();
      if (isClosed) return;
      waitMs = options.retryMs;
      if (catalog !== current) onFound(catalog);
      current = catalog;
    } catch (error) {
      if (isClosed) return;
      onFailure(error);
      nextMs = waitMs;
      waitMs = Math.min(waitMs * 2, refreshMs);
    }
    timer = setTimeout(() => void look(), nextMs);
    timer.unref();
  }

  void look();
  return {
    current: () => current,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
