import type { Agent, FormData } from 'undici';

export interface HttpServiceOptions {
  /** Base address. */
  readonly url: string;
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The most time that one request takes. */
  readonly limitMs: number;
  /** The largest reply that is read. */
  readonly limitBytes: number;
}

export interface HttpRequest {
  /** Sent as JSON, by POST. */
  readonly body?: object;
  /** Sent as `multipart/form-data`, by POST, in the place of `body`. */
  readonly form?: FormData;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Requests to one service at once; more wait for a connection within their limit. */
const connections = 32;

/** A service that the operator's settings name, asked over HTTP. Redirects are not followed. */
export class HttpService {
  readonly #base: string;
  readonly #options: HttpServiceOptions;
  #agent: Agent | undefined;

  constructor(options: HttpServiceOptions) {
    this.#base = options.url.replace(/\/+$/, '');
    this.#options = options;
  }

  /** @param path begins with `/`. Rejects with what undici gives, also when `signal` is aborted. */
  async request(path: string, { body, form, signal }: HttpRequest = {}): Promise<HttpResponse> {
    const { headers, limitMs, limitBytes } = this.#options;
    const undici = await import('undici');
    this.#agent ??= new undici.Agent({ connections, maxResponseSize: limitBytes, connect: { timeout: limitMs } });
    const deadline = AbortSignal.timeout(limitMs);
    const sent = body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' };
    const reply = await undici.request(this.#base + path, {
      method: (body ?? form) === undefined ? 'GET' : 'POST',
      dispatcher: this.#agent,
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      headers: { accept: 'application/json', ...headers, ...sent },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: form }),
    });
    return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() };
  }
}
