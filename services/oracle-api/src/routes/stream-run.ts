import type { FastifyReply } from 'fastify';
import type { OpenStreams } from '../runs/open-streams.js';
import type { RunStore } from '../runs/run-store.js';
import { SseStream } from '../runs/sse-stream.js';

export interface StreamDeps {
  readonly runs: RunStore;
  readonly streams: OpenStreams;
  readonly streaming: StreamTimes;
}

export interface StreamTimes {
  /** Silence after which a heartbeat is sent. */
  readonly heartbeatMs: number;
  /** A connection that takes nothing for so long is given up. Some heartbeats long, or quiet streams would be cut. */
  readonly stalledAfterMs: number;
}

/** Answers with the frames of a run as server-sent events. The client may leave; the run goes on. */
export function streamRun(deps: StreamDeps, reply: FastifyReply, runId: string): FastifyReply {
  const { heartbeatMs, stalledAfterMs } = deps.streaming;
  const stream = deps.streams.add(new SseStream((signal) => deps.runs.follow(runId, 0, signal), { heartbeatMs }));
  reply.raw.setTimeout(stalledAfterMs, () => reply.raw.destroy());
  return reply
    .headers({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-run-status': 'running',
    })
    .send(stream);
}
