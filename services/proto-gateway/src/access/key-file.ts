import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { issueText, systemCode, systemReason } from '@mlango/service-kit/errors';
import type { Logger } from '@mlango/service-kit/logging';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import type { ApiKey } from './key-plan.js';

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

/** Checked at start only: keys of a file that is read later may have expired since. */
export interface StartChecks {
  /** Milliseconds since 1970: a key that expired before is refused. */
  readonly nowMs?: number;
  /** Whether `pkg.Service` or `pkg.Service/Method` can be served; others are refused. */
  readonly isServed?: (name: string) => boolean;
}

export type ReadKeys = { readonly keys: readonly ApiKey[] } | { readonly problem: string };

/** Parses a key file. A problem names line and field, and repeats no values. */
export function readKeyFile(text: string, checks: StartChecks = {}): ReadKeys {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: 'is not JSON' };
  }
  const problemAt = (path: readonly PropertyKey[], message: string): ReadKeys => ({
    problem: `line ${lineOf(text, path)}: ${path.join('.')}: ${message}`.slice(0, 300),
  });
  const parsed = keyFile.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return problemAt(issue?.path ?? [], issueText(issue ?? {}));
  }
  const { keys } = parsed.data;
  for (const of of ['name', 'sha256'] as const) {
    const values = keys.map((key) => key[of].toLowerCase());
    const duplicate = values.findIndex((value, at) => values.indexOf(value) < at);
    if (duplicate >= 0) return problemAt(['keys', duplicate], `repeats the ${of} of another key`);
  }
  const { nowMs = 0, isServed = () => true } = checks;
  for (const [index, { methods = [], heights, expires }] of keys.entries()) {
    const unknown = methods.findIndex((method) => !isServed(method));
    if (unknown >= 0) return problemAt(['keys', index, 'methods', unknown], `there is no ${methods[unknown]} here`);
    if (isBackwards(heights)) return problemAt(['keys', index, 'heights'], 'end before they begin');
    if (expires !== undefined && Date.parse(expires) <= nowMs) {
      return problemAt(['keys', index, 'expires'], 'is over: remove the key, or give it more time');
    }
  }
  return { keys: keys.map(asKey) };
}

function isBackwards(heights: string | undefined): boolean {
  const [, from, to] = HEIGHTS.exec(heights ?? '') ?? [];
  return from !== undefined && to !== undefined && BigInt(to) < BigInt(from);
}

/** The line of a JSON path, or of its nearest ancestor. */
function lineOf(text: string, path: readonly PropertyKey[]): number {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
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

/** Beyond every height of a request: only the latest block is allowed. */
const NEVER = 10n ** 18n;

function asHeight(digits: string | undefined): bigint | undefined {
  return digits === undefined ? undefined : BigInt(digits);
}

export interface KeyFile {
  readonly current: () => readonly ApiKey[];
  readonly close: () => void;
}

/** Polling interval in ms: symlinks and mounted secrets send no change events. */
const POLL_MS = 1000;

/**
 * The keys of a file, read again when it changes. An invalid file is logged, and the last good keys
 * stay. An invalid first file gives no keys; the configuration checks the file at start.
 */
export function followKeyFile(path: string, logger: Logger, intervalMs = POLL_MS): KeyFile {
  let seen = readText(path);
  const first = keysIn(seen);
  let keys = 'keys' in first ? first.keys : [];
  const poll = (): void => {
    const text = readText(path);
    if (isDeepStrictEqual(text, seen)) return;
    seen = text;
    const found = keysIn(text);
    if ('problem' in found)
      logger.error({ problem: found.problem }, 'key file is invalid, keeping the last valid keys');
    else {
      keys = found.keys;
      logger.info({ keys: keys.length }, 'key file reloaded');
    }
  };
  watchFile(path, { interval: intervalMs, persistent: false }, poll);
  // A change before `watchFile` started causes no event.
  const firstPoll = setTimeout(poll, intervalMs).unref();
  return {
    current: () => keys,
    close: () => {
      clearTimeout(firstPoll);
      unwatchFile(path, poll);
    },
  };
}

/** The keys of a file, or why there are none, as a start checks them. */
export function readKeys(path: string, checks: StartChecks): ReadKeys {
  return keysIn(readText(path), checks);
}

type FileText = { readonly text: string } | { readonly problem: string };

function keysIn(file: FileText, checks?: StartChecks): ReadKeys {
  return 'problem' in file ? file : readKeyFile(file.text, checks);
}

function readText(path: string): FileText {
  try {
    return { text: readFileSync(path, 'utf8') };
  } catch (error) {
    return { problem: `cannot be read: ${systemReason(systemCode(error) ?? 'unknown error')}` };
  }
}
