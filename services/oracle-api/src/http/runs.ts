import { runPath, runStreamHeaders, runStreamQuery, sessionRun } from '@mlango/schemas/oracle-runs';
import { sessionPath } from '@mlango/schemas/oracle-sessions';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { rightsOf } from '../identity/route-rights.js';
import { runStream } from '../runs/log/resumable-stream.js';
import type { OpenStreams } from '../runs/log/sse-format.js';
import { SseStream, sseFrame } from '../runs/log/sse-format.js';
import type { RunFrame, RunLogStore, RunStart } from '../runs/log/store.js';
import { isStreamEvent, type LoggedEvent } from '../runs/log/store.js';
import type { RunRepository } from '../runs/run-repository.js';
import type { ConversationStore } from '../store/conversation-store.js';

import { errorReplies } from './errors.js';

const tags = ['runs'];

/** `/runs` and the run of a session: its state and its stream. */
export function runRoutes(app: HttpApp, deps: StreamDeps): void {
  app.get(
    '/sessions/:sessionId/run',
    {
      config: rightsOf('GET /sessions/:sessionId/run'),
      schema: {
        tags,
        operationId: 'getSessionRun',
        summary: 'Get the current or the last run of a session',
        description: '`null` if the session has no known run, or belongs to another user.',
        params: sessionPath,
        response: { 200: sessionRun, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const run = await deps.runRepository.findLatest(callerOf(request).did, request.params.sessionId);
      if (run === undefined) return { run: null };
      const { runId, sessionId, requestId, status, createdAt } = run;
      return { run: { runId, sessionId, requestId, status, createdAt: createdAt.toISOString() } };
    },
  );

  app.get(
    '/runs/:runId',
    {
      config: rightsOf('GET /runs/:runId'),
      schema: {
        tags,
        operationId: 'streamRun',
        summary: 'Resume the stream of a run',
        description:
          'The frames after the last received one, then new frames, in the format of `POST /messages/{sessionId}` with `stream`. ' +
          'After a received frame, the first event is `run` with `resumed` and, as `partialLength`, ' +
          'the number of characters that the client should have. ' +
          'If single frames have expired, one `message` has the missing text.',
        params: runPath,
        querystring: runStreamQuery,
        headers: runStreamHeaders,
        response: {
          200: { description: 'A stream of events', content: { 'text/event-stream': { schema: z.string() } } },
          ...errorReplies(400, 401, 404),
        },
      },
    },
    async (request, reply) => {
      const run = await deps.runRepository.find(callerOf(request).did, request.params.runId);
      if (run === undefined) throw new ServiceError('not_found', 'Run not found');
      return streamRun(deps, reply, run, request.headers['last-event-id'] ?? request.query.after);
    },
  );
}

export const streamTimes = {
  /** Pause after which a heartbeat is sent, in ms. */
  heartbeatMs: 15_000,
  /** Time after which a connection that accepts no data is closed, in ms. Several heartbeats, so that quiet streams stay open. */
  stalledAfterMs: 60_000,
};

export interface StreamDeps {
  readonly runs: RunLogStore;
  readonly runRepository: RunRepository;
  readonly streams: OpenStreams;
  readonly streaming: Readonly<typeof streamTimes>;
  readonly conversations: Pick<ConversationStore, 'findMessage'>;
  readonly now: () => Date;
}

const looks = { lookMs: 500, silenceMs: 5_000 };

/** Frames of a run after the frame `after`, including later ones; `signal` ends the reading. */
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

/** Replies with the frames of a run after the frame `after` as server-sent events. The run continues if the client disconnects. */
export function streamRun(
  deps: StreamDeps,
  reply: FastifyReply,
  run: RunStart & { readonly status: string },
  after = 0,
): FastifyReply {
  const { runId, status } = run;
  const headers = { 'x-run-id': runId, 'x-run-status': status };
  const follow = (signal: AbortSignal) => followRun(deps, run, after, signal);
  const textOf = (frame: RunFrame) => (isStreamEvent(frame) ? sseFrame(frame) : '');
  return streamEvents(deps, reply.headers(headers), follow, textOf);
}

/** Replies with the items of `follow` as server-sent events, formatted by `textOf`. */
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

/** Event of a frame. */
export function eventOf({ event, data }: RunFrame): LoggedEvent {
  return { event, data: JSON.parse(data) } as LoggedEvent;
}
