import { z } from 'zod';
import type { ApiKey } from './api-keys.js';

const perMinute = z.int().min(1).max(1_000_000_000_000).optional();
const RPC = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\/[A-Za-z_]\w*)?$/;
const HEIGHTS = /^(?:latest|([0-9]{1,18})-([0-9]{1,18})?)$/;

/** One key of a file of keys, with its plan. */
const plannedKey = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be letters, digits, . _ and -'),
  sha256: z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits'),
  requestsPerMinute: perMinute,
  bytesPerMinute: perMinute,
  pageLimit: z.int().min(1).max(1_000_000).optional(),
  methods: z.array(z.string().regex(RPC, 'must be pkg.Service or pkg.Service/Method')).min(1).max(1000).optional(),
  heights: z.string().regex(HEIGHTS, 'must be latest, FROM- or FROM-TO').optional(),
  expires: z.iso.datetime({ offset: true }).optional(),
  notes: z.string().max(1000).optional(),
});

const keyFile = z.strictObject({ keys: z.array(plannedKey).min(1).max(1000) });

/** The keys of a file, or what is wrong with it, in words that repeat nothing of it but names of fields. */
export function readKeyFile(text: string): { readonly keys: readonly ApiKey[] } | { readonly problem: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: 'is not JSON' };
  }
  const parsed = keyFile.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'does not fit'}`.slice(0, 300) };
  }
  const { keys } = parsed.data;
  for (const of of ['name', 'sha256'] as const) {
    const values = keys.map((key) => key[of].toLowerCase());
    const again = values.findIndex((value, at) => values.indexOf(value) < at);
    if (again >= 0) return { problem: `keys.${again}: repeats the ${of} of another key` };
  }
  return { keys: keys.map(asKey) };
}

function asKey({ name, sha256, methods, heights, expires, ...plan }: z.output<typeof plannedKey>): ApiKey {
  const { notes: _forPeople, ...limits } = plan;
  const [, from, to] = HEIGHTS.exec(heights ?? '') ?? [];
  return {
    name,
    digest: Buffer.from(sha256, 'hex'),
    plan: {
      ...limits,
      methods: methods === undefined ? undefined : new Set(methods),
      heights: heights === undefined ? undefined : { text: heights, from: asHeight(from) ?? NEVER, to: asHeight(to) },
      expiresAtMs: expires === undefined ? undefined : Date.parse(expires),
    },
  };
}

/** Beyond every height that can be named: only the latest block is left. */
const NEVER = 10n ** 18n;

function asHeight(digits: string | undefined): bigint | undefined {
  return digits === undefined ? undefined : BigInt(digits);
}
