import { bareHost, isNamedHost, type NamedHost, parseNamedHost, portOf } from '@mlango/outbound/named-hosts';
import { list } from './fields.js';
import type { EnvProblem } from './read-env.js';

/** A comma-separated list of hosts: `mcp`, `localhost:8008`, `10.0.0.5`, `[::1]:80`. None by default. */
export const namedHosts = () =>
  list().transform((items, context): readonly NamedHost[] =>
    items.flatMap((item) => {
      const named = parseNamedHost(item);
      if (named !== undefined) return [named];
      const message = 'must be a comma-separated list of hosts, such as mcp or localhost:8008';
      context.issues.push({ code: 'custom', message, input: undefined });
      return [];
    }),
  );

/** In production an address that is trusted uses HTTPS, unless its host is listed as part of the operator's own network. */
export function httpsProblem(
  variable: string,
  address: string | undefined,
  { NODE_ENV, PRIVATE_HOSTS }: { readonly NODE_ENV: string; readonly PRIVATE_HOSTS: readonly NamedHost[] },
): EnvProblem[] {
  if (NODE_ENV !== 'production' || address === undefined) return [];
  const url = new URL(address);
  if (url.protocol === 'https:' || isNamedHost(PRIVATE_HOSTS, bareHost(url.hostname), portOf(url))) return [];
  return [{ variable, message: 'must be https:// in production, or its host named in PRIVATE_HOSTS' }];
}
