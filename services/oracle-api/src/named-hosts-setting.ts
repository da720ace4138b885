import { type NamedHost, parseNamedHost } from '@mlango/outbound/named-hosts';
import { list } from '@mlango/service-kit/env';

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
