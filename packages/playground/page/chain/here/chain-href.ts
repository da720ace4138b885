import { hrefOf } from '../../shell/route.js';
import { useQuery } from '../../shell/use-route.js';

/** How a view is looked at; what is undefined or empty is left out. */
export type Look = Readonly<Record<string, string | undefined>>;

/** The address of a view of the chain. */
export function chainHref(parts: readonly string[], look: Look = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(look)) if (value !== undefined && value !== '') query.set(name, value);
  const href = hrefOf('chain', ...parts);
  return query.size === 0 ? href : `${href}?${query}`;
}

/** The block that everything is looked at as of; undefined for the latest one. */
export function useAsOf(): string | undefined {
  const at = useQuery().get('at');
  return at !== null && /^\d{1,15}$/.test(at) ? at : undefined;
}

/** Addresses of views as of the block that is looked at now. */
export function useChainHref(): (parts: readonly string[], look?: Look) => string {
  const at = useAsOf();
  return (parts, look) => chainHref(parts, { ...look, at });
}
