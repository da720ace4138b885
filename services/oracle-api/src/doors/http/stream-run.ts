import type { FastifyReply } from 'fastify';
import type { streamTimes } from '../../limits.js';
import type { OpenStreams } from '../../runs/open-streams.js';
import type { RunRegister } from '../../runs/run-register.js';
import type { RunStart, RunStore } from '../../runs/run-store.js';
import { runStream } from '../../runs/run-stream.js';
import { SseStream } from '../../runs/sse-stream.js';
import type { ConversationStore } from '../../store/conversation-store.js';

export interface StreamDeps {
  readonly runs: RunStore;
  readonly register: RunRegister;
  readonly streams: OpenStreams;
  readonly streaming: Readonly<typeof streamTimes>;
  readonly conversations: Pick<ConversationStore, 'findMessage'>;
  readonly now: () => Date;
}

const looks = { lookMs: 500, silenceMs: 5_000 };

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
  const { heartbeatMs, stalledAfterMs } = deps.streaming;
  const answerOf = ({ ownerDid, sessionId, requestId }: RunStart) =>
    deps.conversations.findMessage(ownerDid, sessionId, requestId);
  const parts = { ...deps, ...looks, answerOf };
  const stream = deps.streams.add(new SseStream((signal) => runStream(parts, run, after, signal), { heartbeatMs }));
  reply.raw.setTimeout(stalledAfterMs, () => reply.raw.destroy());
  return reply
    .headers({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-run-id': run.runId,
      'x-run-status': run.status,
    })
    .send(stream);
}
