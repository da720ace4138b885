import type { Agent } from 'undici';
import type { ChainQuestion, ChainReader } from '../../engine/declarations.js';
import { reasonOf } from '../call-outside.js';
import { ChainError, type ChainReply, pathOf, readReply } from './chain-question.js';

export interface HttpChainReaderOptions {
  /** Address of the query gateway. */
  readonly url: string;
  /** Presented to a gateway that authenticates clients. */
  readonly apiKey?: string | undefined;
  /** Longest time of one query. */
  readonly limitMs: number;
  /** Largest reply that is read. */
  readonly limitBytes?: number;
}

/** Enough for any single entry of the chain; a larger reply would not fit on a phone. */
const defaultLimitBytes = 256 * 1024;

/** Concurrent connections to the gateway; further queries wait within their time limit. */
const maxConnections = 32;

/** Queries the query gateway over HTTP. */
export class HttpChainReader implements ChainReader {
  readonly #base: string;
  readonly #limitMs: number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #limitBytes: number;
  /** Loaded with the first query: many flows have none. */
  #agent: Promise<Agent> | undefined;

  constructor({ url, apiKey, limitMs, limitBytes = defaultLimitBytes }: HttpChainReaderOptions) {
    this.#base = url.replace(/\/+$/, '');
    this.#limitMs = limitMs;
    this.#headers = {
      accept: 'application/json',
      // The gateway then cancels its own call to the chain in time.
      'grpc-timeout': `${limitMs}m`,
      ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
    };
    this.#limitBytes = limitBytes;
  }

  async read<Answer>(question: ChainQuestion<Answer>): Promise<Answer | undefined> {
    const path = pathOf(question);
    return path === undefined ? undefined : readReply(await this.#get(path), question);
  }

  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
  }

  async #connect(): Promise<Agent> {
    const { Agent } = await import('undici');
    const limitMs = this.#limitMs;
    return new Agent({
      connections: maxConnections,
      maxResponseSize: this.#limitBytes,
      connect: { timeout: limitMs },
      headersTimeout: limitMs,
      bodyTimeout: limitMs,
    });
  }

  async #get(path: string): Promise<ChainReply> {
    try {
      this.#agent ??= this.#connect();
      const [{ request }, dispatcher] = await Promise.all([import('undici'), this.#agent]);
      const { statusCode, body } = await request(`${this.#base}${path}`, {
        dispatcher,
        signal: AbortSignal.timeout(this.#limitMs),
        headers: this.#headers,
      });
      return { status: statusCode, text: await body.text() };
    } catch (cause) {
      const remedy = 'start it, or set PROTO_GATEWAY_URL to its address';
      const problem = `The query gateway at ${new URL(this.#base).origin} cannot be reached (${reasonOf(cause)}): ${remedy}`;
      throw new ChainError('unavailable', problem, { cause });
    }
  }
}
