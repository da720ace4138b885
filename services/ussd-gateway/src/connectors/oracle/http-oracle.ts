import { messageList } from '@mlango/schemas/oracle-messages';
import { sessionRun } from '@mlango/schemas/oracle-runs';
import { sendMessageReply } from '@mlango/schemas/oracle-send';
import { sessionRecord } from '@mlango/schemas/oracle-sessions';
import { ServiceError } from '@mlango/service-kit/errors';
import { parseJson, withoutByteOrderMark } from '@mlango/service-kit/parse-json';
import { Agent, request } from 'undici';
import type { z } from 'zod';
import { reasonOf } from '../call-outside.js';

/** Result of a question. */
export type WebhookResponse =
  | { readonly kind: 'answered'; readonly text: string }
  /** Still running, or unknown. */
  | { readonly kind: 'pending' }
  /** The oracle accepted it, but there is and will be no answer. */
  | { readonly kind: 'failed' }
  /** Not accepted; the status is the reason. */
  | { readonly kind: 'refused'; readonly status: number }
  /** The conversation no longer exists. */
  | { readonly kind: 'no_session' };

export interface Question {
  readonly sessionId: string;
  /** The same at every attempt: the oracle accepts it once, and its answer has this id. */
  readonly requestId: string;
  readonly message: string;
  /** Instructions for the form of the answer. */
  readonly instructions: string;
}

/** The oracle was unreachable, so this attempt was not accepted. */
export class OracleUnavailable extends ServiceError {
  constructor(url: string, cause: unknown) {
    const problem = `The oracle at ${new URL(url).origin} cannot be reached (${reasonOf(cause)})`;
    super('unavailable', `${problem}: start it, or set ORACLE_URL to its address`, { cause });
  }
}

const limitBytes = 512 * 1024;
const requestMs = 10_000;
/** Longest wait for an answer in one attempt; the oracle continues after it. */
const answerMs = 60_000;
const maxConnections = 64;

const notConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);
const underWay = new Set(['queued', 'running', 'recovering']);

/** The oracle's HTTP API, as far as phones use it. Tokens are UCAN invocations. */
export class HttpOracle {
  readonly #base: string;
  readonly #agent = new Agent({
    connections: maxConnections,
    maxResponseSize: limitBytes,
    connect: { timeout: requestMs / 2 },
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
  });

  constructor(url: string) {
    this.#base = url.replace(/\/+$/, '');
  }

  /** @throws {OracleUnavailable | ServiceError} if the session is not known to be open. */
  async openSession(token: string): Promise<string> {
    const { status, body } = await this.#call(token, 'POST', '/sessions', {});
    if (status !== 201) throw unusable(status);
    return read(sessionRecord, body).sessionId;
  }

  /** Sends a question and waits for the answer. A question that was accepted before is not repeated: its result is looked up. */
  async sendQuestion(token: string, { sessionId, ...question }: Question): Promise<WebhookResponse> {
    const path = `/messages/${encodeURIComponent(sessionId)}`;
    const { status, body } = await this.#call(token, 'POST', path, question, answerMs);
    if (status === 200) {
      const { message } = read(sendMessageReply, body);
      return message.content === '' ? { kind: 'failed' } : { kind: 'answered', text: message.content };
    }
    if (status === 404) return { kind: 'no_session' };
    // Accepted before, or the run ended with an error.
    if (status === 409 || status >= 500) return this.#lookUp(token, sessionId, question.requestId);
    return { kind: 'refused', status };
  }

  /**
   * Revokes a token. Can be repeated.
   *
   * @throws {OracleUnavailable | ServiceError} unless the revocation is stored.
   */
  async revoke(token: string, revocation: string): Promise<void> {
    const { status } = await this.#call(token, 'POST', '/revocations', { token: revocation });
    if (status !== 200) throw unusable(status);
  }

  /**
   * Deletes all data of a phone. Can be repeated.
   *
   * @throws {OracleUnavailable | ServiceError} unless the deletion is complete.
   */
  async deleteAccount(token: string): Promise<void> {
    const { status } = await this.#call(token, 'DELETE', '/account');
    if (status !== 200) throw unusable(status);
  }

  async #lookUp(token: string, sessionId: string, requestId: string): Promise<WebhookResponse> {
    const session = encodeURIComponent(sessionId);
    // The run is read first: if it ends in between, its answer is already among the messages.
    const latest = await this.#call(token, 'GET', `/sessions/${session}/run`);
    if (latest.status !== 200) throw unusable(latest.status);
    const { run } = read(sessionRun, latest.body);
    const listed = await this.#call(token, 'GET', `/messages/${session}`);
    if (listed.status !== 200) throw unusable(listed.status);
    const { messages } = read(messageList, listed.body);
    const answer = messages.find(({ id }) => id === requestId);
    if (answer !== undefined && answer.content !== '') return { kind: 'answered', text: answer.content };
    if (run?.requestId === requestId && underWay.has(run.status)) return { kind: 'pending' };
    const isTaken = messages.some(({ id }) => id === `${requestId}~human`);
    return { kind: isTaken ? 'failed' : 'pending' };
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #call(token: string, method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, mostMs = requestMs) {
    try {
      const reply = await request(`${this.#base}${path}`, {
        method,
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(mostMs),
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          'x-auth-type': 'ucan',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: reply.statusCode, body: await reply.body.text() };
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && notConnected.has(String(cause.code)))
        throw new OracleUnavailable(this.#base, cause);
      throw new ServiceError('unavailable', 'The oracle did not answer in time', { cause });
    }
  }
}

function unusable(status: number): ServiceError {
  return new ServiceError('unavailable', `The oracle answers ${status}`);
}

function read<Shape extends z.ZodType>(shape: Shape, body: string): z.output<Shape> {
  const parsed = shape.safeParse(parseJson(withoutByteOrderMark(body)));
  if (!parsed.success) throw new ServiceError('unavailable', 'The oracle answers what cannot be read');
  return parsed.data;
}
