import { type NamedHost, parseNamedHost } from '@mlango/outbound/named-hosts';
import { z } from 'zod';

/** A comma-separated list of hosts: `mcp`, `localhost:8008`, `10.0.0.5`, `[::1]:80`. None by default. */
export const namedHosts = () =>
  z
    .string()
    .default('')
    .transform((value, context): readonly NamedHost[] =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
        .flatMap((item) => {
          const named = parseNamedHost(item);
          if (named !== undefined) return [named];
          const message = 'must be a comma-separated list of hosts, such as mcp or localhost:8008';
          context.issues.push({ code: 'custom', message, input: undefined });
          return [];
        }),
    );
