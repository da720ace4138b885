import { replyHeaders } from '@mlango/cosmos-rest/heights';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { type RawBody, rawReader } from '@mlango/transcoder/http-body';
import type { Route } from '../catalog/route-table.js';
import type { NodeCall } from '../nodes/chain-node.js';
import { whenToComeAgain } from '../nodes/when-to-come-again.js';
import { type Answer, errorAnswer, rawAnswer } from './answer.js';
import { type BegunStream, beginStream, type StreamSource } from './begin-stream.js';
import { describeFailure, type WordFailure } from './describe-failure.js';

/** A line of JSON for each message, or server-sent events. */
export type StreamForm = 'ndjson' | 'sse';

/**
 * Answers with a stream: `{"result":…}` for each message, and `{"error":…}` as the last when it breaks. A call that
 * fails before its first message is an ordinary error with its HTTP status. Messages that are bodies as they are follow each other.
 */
export async function answerStream(
  source: StreamSource,
  route: Route,
  call: NodeCall,
  write: (bytes: Uint8Array) => string,
  form: StreamForm,
  word: WordFailure,
): Promise<Answer> {
  const failed = (failure: unknown) => describeFailure(failure, route.rpcName, word);
  try {
    const begun = await beginStream(source, call);
    const headers = replyHeaders(begun.headers);
    const raw = rawReader(route);
    if (raw !== undefined) {
      const first = raw(begun.first.done === true ? NOTHING : begun.first.value);
      return { ...rawAnswer(first, headers), body: parts(begun, raw) };
    }
    const body = frames(begun, write, form, failed);
    const contentType = form === 'sse' ? 'text/event-stream; charset=utf-8' : 'application/x-ndjson; charset=utf-8';
    return { status: 200, contentType, headers, body, code: GRPC_CODES.ok };
  } catch (failure) {
    const { status, metadata } = failed(failure);
    return { ...errorAnswer(status, metadata, whenToComeAgain(failure)), failure };
  }
}

const NOTHING = new Uint8Array();

/** The data of each message. A failure ends them as it comes, since there is no telling it. */
async function* parts({ first, rest }: BegunStream, raw: (message: Uint8Array) => RawBody): AsyncIterable<Buffer> {
  try {
    for (let next = first; next.done !== true; next = await rest.next()) yield Buffer.from(raw(next.value).data);
  } finally {
    await rest.return?.();
  }
}

async function* frames(
  { first, rest }: BegunStream,
  write: (bytes: Uint8Array) => string,
  form: StreamForm,
  failed: (failure: unknown) => ReturnType<typeof describeFailure>,
): AsyncIterable<string> {
  const frame = (json: string): string => (form === 'sse' ? `data: ${json.replaceAll('\n', ' ')}\n\n` : `${json}\n`);
  try {
    for (let next = first; next.done !== true; next = await rest.next()) {
      yield frame(`{"result":${write(next.value)}}`);
    }
  } catch (failure) {
    yield frame(JSON.stringify({ error: failed(failure).status }));
  } finally {
    await rest.return?.();
  }
}
