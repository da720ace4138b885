import { parseJson } from '@mlango/service-kit/parse-json';
import { HttpService } from '../api/http-service.js';

export interface QueryGatewayOptions {
  /** Base address. */
  readonly url: string;
  readonly apiKey?: string | undefined;
  /** Time limit of one request, in ms. Default 10,000. */
  readonly limitMs?: number;
  /** Size limit of a reply. Default 128 KiB. */
  readonly limitBytes?: number;
}

/** Reason for a missing answer. `problem`: the gateway's error text for an invalid request. */
export type NoAnswer =
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'unavailable'; readonly cause: unknown };

export type GatewayAnswer = { readonly kind: 'answer'; readonly value: unknown } | NoAnswer;

const problemChars = 300;

/** Prefix of the gateway's error for an unknown path, which is no statement about the chain. */
const noRoute = 'No route';

/** HTTP client of the query gateway. */
export class QueryGateway {
  readonly #gateway: HttpService;

  constructor({ url, apiKey, limitMs = 10_000, limitBytes = 128 * 1024 }: QueryGatewayOptions) {
    // The gateway then ends its own call to the chain in time.
    const headers: Record<string, string> = { 'grpc-timeout': `${limitMs}m` };
    if (apiKey !== undefined) headers['x-api-key'] = apiKey;
    this.#gateway = new HttpService({ url, headers, limitMs, limitBytes });
  }

  /** @param path segments before escaping. Rejects only if `signal` is aborted. */
  async query(path: readonly string[], signal: AbortSignal): Promise<GatewayAnswer> {
    // Such a segment is empty, or would leave the path.
    if (path.some((segment) => ['', '.', '..'].includes(segment) || /\p{Surrogate}/u.test(segment))) {
      return { kind: 'absent' };
    }
    try {
      const { status, text } = await this.#gateway.request(path.map((one) => `/${encodeURIComponent(one)}`).join(''), {
        signal,
      });
      return answerIn(status, text);
    } catch (cause) {
      signal.throwIfAborted();
      return isTooLarge(cause) ? { kind: 'too_large' } : { kind: 'unavailable', cause };
    }
  }
}

function answerIn(status: number, text: string): GatewayAnswer {
  const json = parseJson(text);
  if (status === 200 && json !== undefined) return { kind: 'answer', value: json };
  const message = messageIn(json)?.slice(0, problemChars);
  if (status === 404 && message !== undefined && !message.startsWith(noRoute)) return { kind: 'absent' };
  if (status === 400 && message !== undefined) return { kind: 'refused', problem: message };
  if (status === 429) return { kind: 'busy' };
  return { kind: 'unavailable', cause: new Error(`the query gateway answered ${status}: ${message ?? 'no message'}`) };
}

function messageIn(json: unknown): string | undefined {
  const isObject = typeof json === 'object' && json !== null && 'message' in json;
  return isObject && typeof json.message === 'string' ? json.message : undefined;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
}
