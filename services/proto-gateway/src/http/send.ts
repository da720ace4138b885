import { Readable } from 'node:stream';
import type { Permit } from '@mlango/async/fair-semaphore';
import { BusyError } from '@mlango/grpc-channel';
import { ServiceError } from '@mlango/service-kit/errors';
import { addressKey, whenReplyClosed } from '@mlango/service-kit/http-app';
import type { Metrics } from '@mlango/service-kit/metrics';
import { GRPC_CODES, httpStatusOf } from '@mlango/transcoder/grpc-status';
import { toReplyTrailers } from '@mlango/transcoder/metadata';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, isWhole } from '../answers/answer.js';
import type { ReplyBytes } from '../nodes/byte-budget.js';
import { chooseEncoding, encodedBody, isWorthIt } from './content-encoding.js';

/** Sends an answer in the caller's encoding, with further headers, within the byte budget. */
export function send(
  reply: FastifyReply,
  answer: Answer,
  more: Readonly<Record<string, string>>,
  replyBytes: ReplyBytes,
): FastifyReply | Promise<FastifyReply> {
  const { body } = answer;
  if (isWhole(body) && !reserveReply(replyBytes, reply, body.length)) throw tooManyReplies();
  void reply.code(answer.status).type(answer.contentType);
  for (const [name, values] of answer.headers) setHeader(reply, name, values);
  for (const name in more) setHeader(reply, name, [more[name] ?? '']);
  // The body is omitted, and a length would be read as that of the body.
  if (body === '') return reply.send();
  if (!isWhole(body)) {
    return reply
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .send(body instanceof Readable ? body : Readable.from(reserveParts(replyBytes, reply.request, body)));
  }
  sendTrailers(reply, answer);
  if (answer.isEncoded === true || !isWorthIt(body)) return reply.send(body);
  setHeader(reply, 'vary', ['accept-encoding']);
  const encoding = chooseEncoding(reply.request.headers['accept-encoding']);
  if (encoding === undefined) return reply.send(body);
  void reply.header('content-encoding', encoding);
  return encodedBody(answer, body, encoding).then((bytes) => reply.send(bytes));
}

function tooManyReplies(): ServiceError {
  return new ServiceError('rate_limited', new BusyError('replies wait').message, {
    headers: { 'retry-after': '1' },
    limiter: 'reply_bytes',
  });
}

/** Headers that several hooks extend. */
const LISTS = new Set(['vary', 'link']);

/** Sets or extends a header. */
export function setHeader(reply: FastifyReply, name: string, values: readonly string[]): void {
  const before = LISTS.has(name) ? reply.getHeader(name) : undefined;
  if (before !== undefined) void reply.header(name, [String(before), ...values].join(', '));
  else void reply.header(name, values.length === 1 ? values[0] : [...values]);
}

/** Only for `TE: trailers`, since trailers make the body chunked, without a length. */
function sendTrailers(reply: FastifyReply, { trailers }: Answer): void {
  const { headers, method } = reply.request;
  if (trailers === undefined || trailers.length === 0 || headers['te'] === undefined || method === 'HEAD') return;
  if (!/(?:^|,)\s*trailers\s*(?:,|;|$)/i.test(String(headers['te']))) return;
  for (const [name, values] of toReplyTrailers(trailers))
    reply.trailer(name, (_reply, _payload, done) => done(null, values.join(', ')));
}

/** Smaller replies fit a connection's buffers and are bounded by the number of connections. */
const SMALL_BYTES = 16 * 1024;

/** Counts a reply until its connection has sent it. False beyond the total or the share of its address. */
function reserveReply(replyBytes: ReplyBytes, reply: FastifyReply, bytes: number): boolean {
  if (bytes <= SMALL_BYTES) return true;
  const release = reserve(replyBytes, reply.request.ip, bytes);
  if (release === undefined) return false;
  whenReplyClosed(reply.raw, release);
  return true;
}

/** Reserves bytes for one part at a time. @throws {Error} if the limit is reached */
async function* reserveParts(
  replyBytes: ReplyBytes,
  { ip }: FastifyReply['request'],
  parts: AsyncIterable<string | Buffer>,
): AsyncGenerator<string | Buffer> {
  for await (const part of parts) {
    const release = reserve(replyBytes, ip, part.length);
    if (release === undefined) throw new Error('too many bytes of replies wait for their readers');
    try {
      yield part;
    } finally {
      release();
    }
  }
}

/** A reply larger than a share counts as a whole share, so that no reply is always refused. */
function reserve(replyBytes: ReplyBytes, ip: string, bytes: number): (() => void) | undefined {
  const { readers } = replyBytes;
  const permit: Permit | { readonly full: string } = readers.tryAcquire(
    { address: addressKey(ip) },
    Math.min(bytes, readers.shareOf('address') ?? bytes),
  );
  if ('full' in permit) return undefined;
  if (!replyBytes.take(bytes)) {
    permit.release();
    return undefined;
  }
  return () => {
    permit.release();
    replyBytes.give(bytes);
  };
}

/** Records an answer. `rpc` is undefined for a request that reached none. */
export type RecordAnswer = (request: FastifyRequest, answer: Answer, rpc: string | undefined) => void;

/** Counts answers and logs failures of nodes. */
export function recordAnswers(metrics: Metrics): RecordAnswer {
  const count = countAnswers(metrics);
  return (request, answer, rpc) => {
    count(rpc ?? 'none', answer.code);
    logFailure(request, answer, rpc);
  };
}

/** Counts answers by rpc and gRPC code. Requests that reached no rpc have the rpc `none`. */
function countAnswers(metrics: Metrics): (rpc: string, code: number) => void {
  // By rpc, then by code. The labels are resolved when metrics are read, since that costs more than counting.
  const unread = new Map<string, Map<number, number>>();
  metrics.counter({
    name: 'proto_gateway_answers_total',
    help: 'Answers by rpc and gRPC status code.',
    labelNames: ['rpc', 'code'],
    collect() {
      for (const [rpc, counts] of unread) {
        for (const [code, count] of counts) this.inc({ rpc, code: String(code) }, count);
      }
      unread.clear();
    },
  });
  return (rpc, code) => {
    let counts = unread.get(rpc);
    if (counts === undefined) {
      counts = new Map();
      unread.set(rpc, counts);
    }
    counts.set(code, (counts.get(code) ?? 0) + 1);
  };
}

/**
 * Logs a failure of the node with its own message, which callers do not get. An unavailable node is logged once by its
 * connection, so its calls are logged at debug level.
 */
function logFailure(request: FastifyRequest, answer: Answer, rpc: string | undefined): void {
  if (answer.failure === undefined || httpStatusOf(answer.code) < 500) return;
  const line = { rpc, code: answer.code, err: answer.failure };
  if (answer.code === GRPC_CODES.unavailable) request.log.debug(line, 'call to the chain node failed');
  else request.log.warn(line, 'call to the chain node failed');
}
