import type { FastifyReply } from 'fastify';
import type { streamTimes } from '../limits.js';
import { isOfStream } from '../runs/kept-event.js';
import type { OpenStreams } from '../runs/open-streams.js';
import type { RunRegister } from '../runs/run-register.js';
import type { RunFrame, RunStart, RunStore } from '../runs/run-store.js';
import { runStream } from '../runs/run-stream.js';
import { sseFrame } from '../runs/sse-frame.js';
import { SseStream } from '../runs/sse-stream.js';
import type { ConversationStore } from '../store/conversation-store.js';

export interface StreamDeps {
  readonly runs: RunStore;
  readonly register: RunRegister;
  readonly streams: OpenStreams;
  readonly streaming: Readonly<typeof streamTimes>;
  readonly conversations: Pick<ConversationStore, 'findMessage'>;
  readonly now: () => Date;
}

const looks = { lookMs: 500, silenceMs: 5_000 };

/** The frames of a run after the given one, and those to come; `signal` ends the reading. */
export function followRun(
  deps: StreamDeps,
  run: RunStart,
  after: number,
  signal: AbortSignal,
): AsyncIterable<readonly RunFrame[]> {
  const answerOf = ({ ownerDid, sessionId, requestId }: RunStart) =>
    deps.conversations.findMessage(ownerDid, sessionId, requestId);
  return runStream({ ...deps, ...looks, answerOf }, run, after, signal);
}

/**
 * Answers with the frames of a run after the given one as server-sent events. The client may leave and come back; the run
 * goes on.
 */
export function streamRun(
  deps: StreamDeps,
  reply: FastifyReply,
  run: RunStart & { readonly status: string },
  after = 0,
): FastifyReply {
  const { runId, status } = run;
  const headers = { 'x-run-id': runId, 'x-run-status': status };
  const follow = (signal: AbortSignal) => followRun(deps, run, after, signal);
  const textOf = (frame: RunFrame) => (isOfStream(frame) ? sseFrame(frame) : '');
  return streamEvents(deps, reply.headers(headers), follow, textOf);
}

/** Answers with server-sent events: what `follow` gives, as `textOf` writes it. */
export function streamEvents<Event>(
  deps: Pick<StreamDeps, 'streams' | 'streaming'>,
  reply: FastifyReply,
  follow: (signal: AbortSignal) => AsyncIterable<readonly Event[]>,
  textOf: (event: Event) => string,
): FastifyReply {
  const { heartbeatMs, stalledAfterMs } = deps.streaming;
  const stream = deps.streams.add(new SseStream(follow, textOf, { heartbeatMs }));
  reply.raw.setTimeout(stalledAfterMs, () => reply.raw.destroy());
  return reply
    .headers({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    .send(stream);
}
