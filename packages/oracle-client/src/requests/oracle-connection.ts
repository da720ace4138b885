import { recordOf } from './record-of.js';
import { OracleRequestError } from './request-error.js';

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Credentials {
  /** Headers that say who asks. */
  headers(): Promise<Readonly<Record<string, string>>>;
  /** Says that those headers were refused. True when others can be had. */
  refused(headers: Readonly<Record<string, string>>): boolean;
}

/** Requests to one oracle, as its user. */
export class OracleConnection {
  readonly baseUrl: string;
  readonly #credentials: Credentials;

  /** @param baseUrl of the oracle's API, with or without a slash at its end. */
  constructor(baseUrl: string, credentials: Credentials) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.#credentials = credentials;
  }

  /**
   * The JSON that a path answers with. Rejects with an `OracleRequestError` when the oracle refuses or cannot be reached,
   * with the signal's reason when it was aborted, and with whatever the wallet rejects with.
   */
  async json<Reply>(path: string, options: RequestOptions = {}): Promise<Reply> {
    const reply = await this.open(path, options);
    return (await bodyOf(reply, options)) as Reply;
  }

  /** The reply itself, for streams. Rejects as `json` does. A token that is refused is replaced once. */
  async open(path: string, options: RequestOptions = {}): Promise<Response> {
    const first = await this.#credentials.headers();
    const reply = await this.#send(path, options, first);
    if (reply.status !== 401 || !this.#credentials.refused(first)) return accepted(reply, options);
    await reply.body?.cancel();
    return accepted(await this.#send(path, options, await this.#credentials.headers()), options);
  }

  async #send(path: string, options: RequestOptions, credentials: Readonly<Record<string, string>>): Promise<Response> {
    const { method = 'GET', body, headers, signal } = options;
    try {
      return await fetch(this.baseUrl + path, {
        method,
        headers: { ...credentials, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (cause) {
      throw unreached(cause, signal);
    }
  }
}

async function accepted(reply: Response, options: RequestOptions): Promise<Response> {
  if (reply.ok) return reply;
  const fields = recordOf(await bodyOf(reply, options).catch(() => undefined));
  const { statusCode } = fields;
  throw new OracleRequestError(typeof statusCode === 'number' ? statusCode : reply.status, fields);
}

async function bodyOf(reply: Response, { signal }: RequestOptions): Promise<unknown> {
  try {
    return await reply.json();
  } catch (cause) {
    if (cause instanceof SyntaxError) {
      throw new OracleRequestError(reply.status, { message: 'The oracle did not answer with JSON' }, { cause });
    }
    throw unreached(cause, signal);
  }
}

function unreached(cause: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason;
  return new OracleRequestError(0, { message: 'The oracle could not be reached' }, { cause });
}
