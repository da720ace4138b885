import { isIP } from 'node:net';
import { SingleFlight } from '@mlango/async/single-flight';
import {
  ForbiddenAddressError,
  guardedAgent,
  type IsAllowedAddress,
  type ResolveHost,
} from '@mlango/outbound/guarded-agent';
import { isPublicAddress } from '@mlango/outbound/public-address';
import { LRUCache } from 'lru-cache';
import { readBoundedText } from './did-document.js';
import { type LookupPools, lookupPools } from './did-resolver.js';

/**
 * `bad_origin`: not `https://<host name>[:port]`. `forbidden_address`: the name resolves to an address that is not public.
 * `bad_document`: the response is not the DID document of this origin. `unavailable`: no response, an error or a redirect.
 */
export type ServiceDidProblem = 'bad_origin' | 'forbidden_address' | 'bad_document' | 'unavailable';
export type ServiceDidResult =
  | { readonly ok: true; readonly did: string }
  | { readonly ok: false; readonly code: ServiceDidProblem };

export interface ServiceDidOptions {
  /** Default: public addresses only. */
  readonly isAllowedAddress?: IsAllowedAddress;
  /** Resolves host names. Default: the system's resolver. */
  readonly resolve?: ResolveHost;
  /** Trusted certificates instead of the system's, PEM. */
  readonly ca?: string;
  /** Time limit of one read, in milliseconds. Default 2000. */
  readonly timeoutMs?: number;
  /** Most bytes of a document. Default 65,536. */
  readonly limitBytes?: number;
  /** Cache period of a DID. Default 300. */
  readonly cacheSeconds?: number;
  /** Cached DIDs. Default 1000. */
  readonly cacheEntries?: number;
  /** Concurrent reads, an address at most a quarter of them; further reads are `unavailable`. Default 16. */
  readonly concurrency?: number;
  /** A semaphore instead of that of `concurrency`, for a process that exports its metrics. */
  readonly pool?: LookupPools['serviceDids'];
  /** Unix seconds. Default: the system's clock. */
  readonly now?: () => number;
}

export interface ServiceDids {
  /**
   * The did:web of the service at `origin`, from its `/.well-known/did.json`. Never rejects.
   *
   * @param address of the caller; one address may have a quarter of all concurrent reads
   */
  read(origin: string, address?: string): Promise<ServiceDidResult>;
  /** Closes the connections. */
  close(): Promise<void>;
}

/**
 * Reads services' DIDs over HTTPS, without following redirects. A service must be the did:web of its origin: otherwise it could name
 * another service and obtain tokens that are valid there.
 */
export function createServiceDids(options: ServiceDidOptions = {}): ServiceDids {
  const { isAllowedAddress = isPublicAddress, resolve, ca, timeoutMs = 2000, limitBytes = 65_536 } = options;
  const { cacheSeconds = 300, cacheEntries = 1000 } = options;
  const pool = options.pool ?? lookupPools({ serviceDids: options.concurrency }).serviceDids;
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  let agent: ReturnType<typeof guardedAgent> | undefined;
  const known = new LRUCache<string, { readonly did: string; readonly until: number }>({ max: cacheEntries });
  const flight = new SingleFlight<string, ServiceDidResult>();

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
      const running = flight.running(key);
      if (running !== undefined) return running;
      const permit = pool.tryAcquire({ address });
      if ('full' in permit) return { ok: false, code: 'unavailable' };
      return flight.run(key, () => fetchDid(origin).finally(() => permit.release()));
    },
    close: async () => agent?.destroy(),
  };
}

const ORIGIN_LIMIT = 300;

function parseOrigin(text: string): URL | undefined {
  if (text.length > ORIGIN_LIMIT || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isBare = url.username === '' && url.password === '' && `${url.origin}/` === url.href;
  // did:web has no IP addresses, and the address guard checks resolved names only.
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
