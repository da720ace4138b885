import { useCallback, useEffect, useState } from 'react';
import { useAsOf } from './links.js';
import { chainBase, pagePath, paths } from './paths.js';

/** A response of the query gateway with its headers. */
export interface Answer {
  readonly path: string;
  /** 0 without an answer. */
  readonly status: number;
  readonly ok: boolean;
  /** The body, parsed if it is JSON. */
  readonly body: unknown;
  /** The block the answer is of. */
  readonly height: string | undefined;
  /** Headers worth seeing. */
  readonly headers: readonly (readonly [string, string])[];
  readonly tookMs: number;
  readonly bytes: number;
}

const shown = ['content-type', 'etag', 'cache-control', 'link', 'warning', 'deprecation', 'ratelimit', 'retry-after'];

/** Requests a path of the gateway. Rejects only when the signal aborts. */
export async function fetchFromChain(path: string, signal: AbortSignal, height?: string): Promise<Answer> {
  const startedMs = performance.now();
  const took = () => Math.max(1, Math.round(performance.now() - startedMs));
  const none = { path, status: 0, ok: false, height: undefined, headers: [], bytes: 0 };
  try {
    const headers = height === undefined || height === '' ? {} : { 'x-cosmos-block-height': height };
    const response = await fetch(chainBase + path, { signal, headers });
    const text = await response.text();
    return {
      path,
      status: response.status,
      ok: response.ok,
      body: parsed(text),
      tookMs: took(),
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

/** The message of an error. */
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

const lists: Readonly<Record<string, string>> = {
  entities: paths.entities,
  claims: paths.claims,
  collections: paths.collections,
  validators: paths.validators,
};

let ahead: { readonly path: string; readonly response: Promise<Answer>; answer?: Answer } | undefined;

/** Requests the first list of an address early, in parallel with the code of the view. */
export function preloadAnswer([page, view = 'entities', id]: readonly string[], look: URLSearchParams): void {
  const list = lists[view];
  if (page !== 'chain' || list === undefined || id !== undefined || look.size > 0) return;
  const path = pagePath(list, 1);
  const response = fetchFromChain(path, new AbortController().signal);
  const preloaded: typeof ahead = { path, response };
  ahead = preloaded;
  void response.then((answer) => {
    preloaded.answer = answer;
  });
}

/** The preloaded response, if it has arrived. */
function preloadedAnswer(path: string | undefined): Answer | undefined {
  return ahead?.path === path ? ahead?.answer : undefined;
}

/** Takes the preloaded response once: a later request must be fresh. */
function takePreloaded(path: string): Promise<Answer> | undefined {
  if (ahead?.path !== path) return undefined;
  const { response } = ahead;
  ahead = undefined;
  return response;
}

export interface ChainQuery {
  /** The last answer, until the next one arrives. */
  readonly answer: Answer | undefined;
  readonly isLoading: boolean;
  readonly retry: () => void;
}

/**
 * Sends the request when the path or the selected block changes. The previous answer stays until there is a newer one, so that
 * the layout does not jump. Without a path nothing is requested.
 */
export function useChainQuery(path: string | undefined): ChainQuery {
  const at = useAsOf();
  const [answer, setAnswer] = useState<Answer | undefined>(() =>
    at === undefined ? preloadedAnswer(path) : undefined,
  );
  const [loadingPath, setLoadingPath] = useState<string>();
  const [round, setRound] = useState(0);
  const retry = useCallback(() => setRound((count) => count + 1), []);

  useEffect(() => {
    if (path === undefined) return undefined;
    const controller = new AbortController();
    setLoadingPath(path);
    const preloading = at === undefined ? takePreloaded(path) : undefined;
    (preloading ?? fetchFromChain(path, controller.signal, at)).then(
      (next) => {
        if (controller.signal.aborted) return;
        setAnswer(next);
        setLoadingPath(undefined);
      },
      // Only an abort rejects: a newer request replaced this one.
      () => undefined,
    );
    return () => controller.abort();
  }, [path, at, round]);

  return { answer, isLoading: loadingPath !== undefined || (answer === undefined && path !== undefined), retry };
}
