import { OracleRequestError } from './request-error.js';
import { recordOf } from './values.js';

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Headers;
  readonly signal?: AbortSignal;
}

type FileOptions = Pick<FileRequest, 'signal' | 'onProgress'>;
type Headers = Readonly<Record<string, string>>;

export interface Credentials {
  /** Authentication headers. */
  headers(): Promise<Headers>;
  /** Reports that the headers were refused. True if new headers are available. */
  refused(headers: Headers): boolean;
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
   * with the signal's reason when it was aborted, and with the wallet's error.
   */
  async json<Reply>(path: string, options: RequestOptions = {}): Promise<Reply> {
    const reply = await this.open(path, options);
    return (await bodyOf(reply, options)) as Reply;
  }

  /** The reply itself, for streams and files. Rejects as `json` does. */
  open(path: string, options: RequestOptions = {}): Promise<Response> {
    const { method = 'GET', body, headers, signal } = options;
    return this.#asUser(signal, (credentials) =>
      fetch(this.baseUrl + path, {
        method,
        headers: { ...credentials, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      }),
    );
  }

  /** Posts the bytes of a file. The JSON that it is answered with; rejects as `json` does. */
  async upload<Reply>(path: string, file: Blob, options: FileOptions = {}): Promise<Reply> {
    const type = { 'content-type': 'application/octet-stream' };
    const reply = await this.#asUser(options.signal, (credentials) =>
      sendFile(this.baseUrl + path, { ...options, file, headers: { ...credentials, ...type } }),
    );
    return (await bodyOf(reply, options)) as Reply;
  }

  /** A token that is refused is replaced once. */
  async #asUser(signal: AbortSignal | undefined, send: (credentials: Headers) => Promise<Response>): Promise<Response> {
    const sent = (credentials: Headers) =>
      send(credentials).catch((cause: unknown) => {
        throw unreached(cause, signal);
      });
    const first = await this.#credentials.headers();
    const reply = await sent(first);
    if (reply.status !== 401 || !this.#credentials.refused(first)) return accepted(reply, { signal });
    await reply.body?.cancel();
    return accepted(await sent(await this.#credentials.headers()), { signal });
  }
}

interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

async function accepted(reply: Response, options: Abortable): Promise<Response> {
  if (reply.ok) return reply;
  const fields = recordOf(await bodyOf(reply, options).catch(() => undefined));
  const { statusCode } = fields;
  const retryAfter = reply.headers.get('retry-after');
  throw new OracleRequestError(typeof statusCode === 'number' ? statusCode : reply.status, fields, { retryAfter });
}

async function bodyOf(reply: Response, { signal }: Abortable): Promise<unknown> {
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

export interface FileRequest {
  readonly file: Blob;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Called with how much of it is sent, 0 to 1. */
  readonly onProgress?: ((sent: number) => void) | undefined;
}

/** Posts a file with upload progress, which `fetch` lacks. Rejects without a response, and with the signal's reason. */
function sendFile(url: string, { file, headers, signal, onProgress }: FileRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total === 0 ? 1 : loaded / total);
    request.onload = () => resolve(new Response(request.responseText || null, { status: request.status }));
    request.onerror = () => reject(new TypeError('The file could not be sent'));
    request.onabort = () => reject(signal?.reason as Error);
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    signal?.addEventListener('abort', abort);
    request.send(file);
  });
}
