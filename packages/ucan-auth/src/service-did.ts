import { isIP } from 'node:net';
import {
  ForbiddenAddressError,
  guardedAgent,
  type IsAllowedAddress,
  type ResolveHost,
} from '@mlango/outbound/guarded-agent';
import { isPublicAddress } from '@mlango/outbound/public-address';
import { LRUCache } from 'lru-cache';
import { readBoundedText } from './bounded-body.js';
import { type DialPools, dialPools } from './dial-pools.js';

/**
 * `bad_origin`: not `https://<host name>[:port]`. `forbidden_address`: the name leads to an address that is not public.
 * `bad_document`: an answer, but not the DID document of this origin. `unavailable`: no answer, an error or a redirect.
 */
export type ServiceDidProblem = 'bad_origin' | 'forbidden_address' | 'bad_document' | 'unavailable';
export type ServiceDidResult =
  | { readonly ok: true; readonly did: string }
  | { readonly ok: false; readonly code: ServiceDidProblem };

export interface ServiceDidOptions {
  /** Which addresses may be called. Default: those of the public Internet only. */
  readonly isAllowedAddress?: IsAllowedAddress;
  /** Default: as the system resolves names. */
  readonly resolve?: ResolveHost;
  /** Certificates to trust instead of the system's, PEM. */
  readonly ca?: string;
  /** Time limit of one reading. Default 2000. */
  readonly timeoutMs?: number;
  /** Bytes of a document. Default 65,536. */
  readonly limitBytes?: number;
  /** How long a DID is kept. Default 300. */
  readonly cacheSeconds?: number;
  /** DIDs kept. Default 1000. */
  readonly cacheEntries?: number;
  /** Readings at once, of which an address has a quarter; further ones are `unavailable`. Default 16. */
  readonly concurrency?: number;
  /** A pool in place of that of `concurrency`, for a process that shows it. */
  readonly pool?: DialPools['serviceDids'];
  /** Unix seconds. Default: the system's clock. */
  readonly now?: () => number;
}

export interface ServiceDids {
  /**
   * The did:web of the service at `origin`, from its `/.well-known/did.json`. Never rejects.
   *
   * @param address for whom it is read: one address may have a quarter of all readings at once
   */
  read(origin: string, address?: string): Promise<ServiceDidResult>;
  /** Ends the connections. */
  close(): Promise<void>;
}

/**
 * Reads services' DIDs over HTTPS, without following redirects. A service only ever is the did:web of its own origin:
 * otherwise it could name another one and get tokens made that are good there.
 */
export function createServiceDids(options: ServiceDidOptions = {}): ServiceDids {
  const { isAllowedAddress = isPublicAddress, resolve, ca, timeoutMs = 2000, limitBytes = 65_536 } = options;
  const { cacheSeconds = 300, cacheEntries = 1000 } = options;
  const pool = options.pool ?? dialPools({ serviceDids: options.concurrency }).serviceDids;
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  let agent: ReturnType<typeof guardedAgent> | undefined;
  const known = new LRUCache<string, { readonly did: string; readonly until: number }>({ max: cacheEntries });
  const inFlight = new Map<string, Promise<ServiceDidResult>>();

  async function fetchDid(origin: URL): Promise<ServiceDidResult> {
    const did = didWebOf(origin);
    try {
      const { request } = await import('undici');
      agent ??= guardedAgent({ isAllowedAddress, ca, timeoutMs, ...(resolve === undefined ? {} : { resolve }) });
      const reply = await request(new URL('/.well-known/did.json', origin), {
        dispatcher: agent,
        headers: { accept: 'application/did+json, application/json', 'accept-encoding': 'identity' },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await readBoundedText(reply.body, limitBytes);
      if (reply.statusCode !== 200) return { ok: false, code: 'unavailable' };
      if (!namesDid(text, did)) return { ok: false, code: 'bad_document' };
      known.set(origin.origin, { did, until: now() + cacheSeconds });
      return { ok: true, did };
    } catch (error) {
      return { ok: false, code: error instanceof ForbiddenAddressError ? 'forbidden_address' : 'unavailable' };
    }
  }

  return {
    async read(text, address = '') {
      const origin = parseOrigin(text);
      if (origin === undefined) return { ok: false, code: 'bad_origin' };
      const key = origin.origin;
      const entry = known.get(key);
      if (entry !== undefined && entry.until > now()) return { ok: true, did: entry.did };
      const running = inFlight.get(key);
      if (running !== undefined) return running;
      const permit = pool.tryAcquire({ address });
      if ('full' in permit) return { ok: false, code: 'unavailable' };
      const reading = fetchDid(origin).finally(() => {
        permit.release();
        inFlight.delete(key);
      });
      inFlight.set(key, reading);
      return reading;
    },
    close: async () => agent?.destroy(),
  };
}

const ORIGIN_LIMIT = 300;

function parseOrigin(text: string): URL | undefined {
  if (text.length > ORIGIN_LIMIT || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isBare = url.username === '' && url.password === '' && `${url.origin}/` === url.href;
  // did:web knows no bare addresses, and nobody resolves one, so nobody would judge it either.
  const isName = isIP(url.hostname) === 0 && !url.hostname.startsWith('[');
  return url.protocol === 'https:' && isBare && isName ? url : undefined;
}

/** Source: the did:web method specification. */
function didWebOf({ hostname, port }: URL): string {
  return `did:web:${hostname}${port === '' ? '' : `%3A${port}`}`;
}

function namesDid(text: string, did: string): boolean {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === 'object' && document !== null && 'id' in document && document.id === did;
  } catch {
    return false;
  }
}
