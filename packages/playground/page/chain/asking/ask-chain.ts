import { chainBase } from '../here/paths.js';

/** An answer of the query gateway, with what its headers say. */
export interface Answer {
  readonly path: string;
  /** 0 when there was no answer. */
  readonly status: number;
  readonly ok: boolean;
  /** The body, as JSON where it is. */
  readonly body: unknown;
  /** The block the answer is of. */
  readonly height: string | undefined;
  /** Headers worth seeing. */
  readonly headers: readonly (readonly [string, string])[];
  readonly tookMs: number;
  readonly bytes: number;
}

const shown = ['content-type', 'etag', 'cache-control', 'link', 'warning', 'deprecation', 'ratelimit', 'retry-after'];

/** Asks for a path of the gateway. Rejects only when the signal aborts. */
export async function askChain(path: string, signal: AbortSignal, height?: string): Promise<Answer> {
  const startedMs = performance.now();
  const took = () => Math.max(1, Math.round(performance.now() - startedMs));
  const none = { path, status: 0, ok: false, height: undefined, headers: [], bytes: 0 };
  try {
    const headers = height === undefined || height === '' ? {} : { 'x-cosmos-block-height': height };
    const response = await fetch(chainBase + path, { signal, headers });
    const text = await response.text();
    return {
      ...{ path, status: response.status, ok: response.ok, body: parsed(text), tookMs: took() },
      height: response.headers.get('x-cosmos-block-height') ?? undefined,
      headers: shown.flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      }),
      bytes: new TextEncoder().encode(text).length,
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return {
      ...none,
      tookMs: took(),
      body: { message: 'The gateway cannot be reached. Check your connection, then retry.' },
    };
  }
}

/** What an error says in its own words. */
export function messageOf({ body, status }: Answer): string {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
  return typeof message === 'string' && message !== '' ? message : `The gateway answered ${status}.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
