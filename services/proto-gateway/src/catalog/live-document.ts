import { type Catalog, type CatalogSource, madeOf } from './catalog.js';

/**
 * A description that follows the catalog. It is one object, because whoever serves it holds on to it, and its fields are
 * made when they are read, if the routes are others than the last time.
 *
 * @param describe gives the same fields whatever the catalog
 */
export function liveDocument(
  source: CatalogSource,
  describe: (catalog: Catalog | undefined) => Record<string, unknown>,
): Record<string, unknown> {
  const empty = describe(undefined);
  const current = madeOf(source, describe);
  const document: Record<string, unknown> = {};
  for (const field of Object.keys(empty)) {
    Object.defineProperty(document, field, { enumerable: true, get: () => (current() ?? empty)[field] });
  }
  return document;
}
