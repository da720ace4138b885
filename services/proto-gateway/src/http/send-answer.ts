import { Readable } from 'node:stream';
import { BusyFailure } from '@mlango/grpc-channel';
import { ServiceError } from '@mlango/service-kit/errors';
import { toReplyTrailers } from '@mlango/transcoder/metadata';
import type { FastifyReply } from 'fastify';
import type { ReplyBytes } from '../nodes/byte-budget.js';
import { type Answer, isWhole } from '../query/answer.js';
import { chooseEncoding, isWorthIt } from './content-encoding.js';
import { encodedBody } from './encoded-body.js';
import { holdParts, holdReply } from './hold-reply.js';

/** Sends an answer, encoded as the caller likes it, with some more headers, while there is room for it. */
export function send(
  reply: FastifyReply,
  answer: Answer,
  more: Readonly<Record<string, string>>,
  replyBytes: ReplyBytes,
): FastifyReply | Promise<FastifyReply> {
  const { body } = answer;
  if (isWhole(body) && !holdReply(replyBytes, reply, body.length)) throw tooManyReplies();
  void reply.code(answer.status).type(answer.contentType);
  for (const [name, values] of answer.headers) setHeader(reply, name, values);
  for (const name in more) setHeader(reply, name, [more[name] ?? '']);
  // The body is left out, and a length would be taken for that of the body.
  if (body === '') return reply.send();
  if (!isWhole(body)) {
    return reply
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .send(body instanceof Readable ? body : Readable.from(holdParts(replyBytes, reply.request, body)));
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
  return new ServiceError('rate_limited', new BusyFailure('replies wait').message, {
    headers: { 'retry-after': '1' },
    limiter: 'reply_bytes',
  });
}

/** Headers that several parts have something to say in: each adds to what the others said. */
const LISTS = new Set(['vary', 'link']);

/** Sets a header, or adds to what others have said in it. */
export function setHeader(reply: FastifyReply, name: string, values: readonly string[]): void {
  const before = LISTS.has(name) ? reply.getHeader(name) : undefined;
  if (before !== undefined) void reply.header(name, [String(before), ...values].join(', '));
  else void reply.header(name, values.length === 1 ? values[0] : [...values]);
}

/** Only to callers that say `TE: trailers`: the body is chunked then, and others would rather know its length. */
function sendTrailers(reply: FastifyReply, { trailers }: Answer): void {
  const { headers, method } = reply.request;
  if (trailers === undefined || trailers.length === 0 || headers['te'] === undefined || method === 'HEAD') return;
  if (!/(?:^|,)\s*trailers\s*(?:,|;|$)/i.test(String(headers['te']))) return;
  for (const [name, values] of toReplyTrailers(trailers))
    reply.trailer(name, (_reply, _payload, done) => done(null, values.join(', ')));
}
