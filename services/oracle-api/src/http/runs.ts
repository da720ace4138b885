import { runPath, runStreamHeaders, runStreamQuery, sessionRun } from '@mlango/schemas/oracle-runs';
import { sessionPath } from '@mlango/schemas/oracle-sessions';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import { z } from 'zod';
import { rightsOf } from '../identity/route-rights.js';
import { errorReplies } from './error-replies.js';
import { type StreamDeps, streamRun } from './stream-run.js';

const tags = ['runs'];

/** `/runs` and the run of a session: find out what runs, and go on reading it. */
export function runRoutes(app: HttpApp, deps: StreamDeps): void {
  app.get(
    '/sessions/:sessionId/run',
    {
      config: rightsOf('GET /sessions/:sessionId/run'),
      schema: {
        tags,
        operationId: 'getSessionRun',
        summary: 'Get the running or the last run of a session',
        description: '`null` when nothing is known of any run, as in a session that is not the caller’s.',
        params: sessionPath,
        response: { 200: sessionRun, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const run = await deps.register.findLatest(callerOf(request).did, request.params.sessionId);
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
          'The frames after the one given, then those to come, in the form of `POST /messages/{sessionId}` with `stream`. ' +
          'A reader that comes back is first sent `run` with `resumed` and, as `partialLength`, the characters it should have. ' +
          'When the single frames are gone, what they said comes in one `message`, cut to what this reader lacks.',
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
      const run = await deps.register.find(callerOf(request).did, request.params.runId);
      if (run === undefined) throw new ServiceError('not_found', 'Run not found');
      return streamRun(deps, reply, run, request.headers['last-event-id'] ?? request.query.after);
    },
  );
}
