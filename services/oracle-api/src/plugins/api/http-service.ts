import type { Agent, FormData } from 'undici';

export interface HttpServiceOptions {
  /** Base address. */
  readonly url: string;
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Time limit of one request, in milliseconds. */
  readonly limitMs: number;
  /** Size limit of a reply, in bytes. */
  readonly limitBytes: number;
}

export interface HttpRequest {
  /** Sent as JSON, by POST. */
  readonly body?: object;
  /** Sent as `multipart/form-data`, by POST, instead of `body`. */
  readonly form?: FormData;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Concurrent requests to one service. Further requests wait for a connection within their time limit. */
const connections = 32;

/** HTTP client for a service that the operator configures. It does not follow redirects. */
export class HttpService {
  readonly #base: string;
  readonly #options: HttpServiceOptions;
  #agent: Agent | undefined;

  constructor(options: HttpServiceOptions) {
    this.#base = options.url.replace(/\/+$/, '');
    this.#options = options;
  }

  /** @param path begins with `/`. Rejects with undici's errors, also if `signal` is aborted. */
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
