import { type Catalog, type CatalogSource, madeOf } from './catalog.js';

/**
 * A description that follows the catalog: one object, because whoever serves it holds on to it, whose fields are
 * replaced when the routes are others.
 */
export function liveDocument(
  source: CatalogSource,
  describe: (catalog: Catalog | undefined) => Record<string, unknown>,
): () => Record<string, unknown> {
  const document = describe(undefined);
  const refresh = madeOf(source, (catalog) => Object.assign(document, describe(catalog)));
  return () => refresh() ?? document;
}
