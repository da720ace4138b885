import type { FileRegistry } from '@bufbuild/protobuf';
import type { RouteTable } from './routes.js';

/** The served descriptors and their routes. */
export interface Catalog {
  readonly registry: FileRegistry;
  readonly table: RouteTable;
}

/** A catalog that is unknown at first, and that a newer one may replace. */
export interface CatalogSource {
  current(): Catalog | undefined;
}

/** Caches a value derived from the current catalog. */
export function derivedFrom<T>(source: CatalogSource, make: (catalog: Catalog) => T): () => T | undefined {
  let made: { readonly catalog: Catalog; readonly value: T } | undefined;
  return () => {
    const catalog = source.current();
    if (catalog === undefined) return undefined;
    if (made?.catalog !== catalog) made = { catalog, value: make(catalog) };
    return made.value;
  };
}
