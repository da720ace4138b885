import { OracleRequestError } from './request-error.js';
import { recordOf } from './values.js';

export interface FetchJsonOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'POST';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

const limitChars = 512 * 1024;
const limitMs = 15_000;

/**
 * The JSON at an address that is not an oracle's. Rejects with an `OracleRequestError` if there is none, or if it is larger than
 * 512 KiB or takes longer than 15 seconds, and with the signal's reason after an abort.
 */
export async function fetchJson(url: string, options: FetchJsonOptions = {}): Promise<unknown> {
  const { method = 'GET', headers, body, signal } = options;
  const limit = new AbortController();
  const stop = () => limit.abort(signal?.reason);
  const timer = setTimeout(() => limit.abort(new DOMException('It took too long', 'TimeoutError')), limitMs);
  signal?.addEventListener('abort', stop);
  try {
    signal?.throwIfAborted();
    const reply = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...(body === undefined ? {} : jsonType), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: limit.signal,
    });
    const text = await boundedText(reply);
    if (!reply.ok) throw new OracleRequestError(reply.status, recordIn(text));
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof OracleRequestError) throw cause;
    if (signal?.aborted === true) throw signal.reason;
    const message = cause instanceof SyntaxError ? `${originOf(url)} did not answer with JSON` : unreached(url);
    throw new OracleRequestError(0, { message }, { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

const jsonType = { 'content-type': 'application/json' };

async function boundedText(reply: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  const reader = reply.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > limitChars) {
      await reader?.cancel();
      throw new OracleRequestError(reply.status, { message: 'The answer is too large' });
    }
  }
}

function recordIn(text: string): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return {};
  }
}

const unreached = (url: string) => `${originOf(url)} could not be reached`;

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'The address';
}
