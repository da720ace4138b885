import { randomBytes } from 'node:crypto';
import { invalidRequest, jsonError } from '@mlango/schemas/errors';
import { callList, callListQuery, callPath, callRecord, callStart, callTicket } from '@mlango/schemas/oracle-calls';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import { z } from 'zod';
import { restrictToOperators } from '../api/operator-routes.js';
import { callReply, keyOwner, ticketFor } from './call-reply.js';
import type { MediaServer, RoomEvent } from './media-server.js';
import type { CallBoot } from './tables.js';

/** `/calls`: calls of the caller. */
export function callRoutes(app: HttpApp, boot: CallBoot, media: MediaServer): void {
  const { own, vault, config, now, newId, logger } = boot;

  app.post(
    '/calls',
    {
      config: { stores: 'calls' },
      schema: {
        operationId: 'startCall',
        summary: 'Start a call in a session, or rejoin its open call',
        description:
          'Returns a token to join, and the text to derive the media keys from. Answers 200 if the call was open already.',
        body: callStart,
        response: { 200: callTicket, 201: callTicket, 400: invalidRequest, 404: jsonError, 409: jsonError },
      },
    },
    async (request, reply) => {
      const ownerDid = callerOf(request).did;
      const callId = newId();
      const createdAt = now();
      const started = await own.start({
        ...request.body,
        callId,
        ownerDid,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + config.CALL_MAX_MINUTES * 60_000),
        sealedKey: vault.seal(randomBytes(32).toString('base64'), keyOwner(ownerDid, callId)),
      });
      if (started.kind === 'no_session') throw new ServiceError('not_found', 'Session not found');
      if (started.kind === 'too_many') throw new ServiceError('conflict', 'Too many calls are open; end one first');
      const ticket = await ticketFor('caller', started.call, { media, vault, now });
      return reply.code(started.kind === 'started' ? 201 : 200).send(ticket);
    },
  );

  app.get(
    '/calls',
    {
      schema: {
        operationId: 'listCalls',
        summary: 'List the calls of the caller, newest first',
        querystring: callListQuery,
        response: { 200: callList, 400: invalidRequest },
      },
    },
    async (request) => {
      const { calls, total } = await own.list(callerOf(request).did, request.query, now());
      return { calls: calls.map(callReply), total };
    },
  );

  app.get(
    '/calls/:callId',
    {
      schema: {
        operationId: 'getCall',
        summary: 'Get a call',
        params: callPath,
        response: { 200: callRecord, 400: invalidRequest, 404: jsonError },
      },
    },
    async (request) => {
      const call = await own.find(callerOf(request).did, request.params.callId, now());
      if (call === undefined) throw new ServiceError('not_found', 'Call not found');
      return callReply(call);
    },
  );

  app.delete(
    '/calls/:callId',
    {
      schema: {
        operationId: 'endCall',
        summary: 'End a call',
        description:
          'Removes all participants from the room and deletes the key. The record remains. Ending an ended call has no effect.',
        params: callPath,
        response: { 200: callRecord, 400: invalidRequest, 404: jsonError },
      },
    },
    async (request) => {
      const { callId } = request.params;
      const call = await own.end(callerOf(request).did, callId, now());
      if (call === undefined) throw new ServiceError('not_found', 'Call not found');
      await media.closeRoom(callId).catch((err: unknown) => logger.warn({ err, callId }, 'room not closed'));
      return callReply(call);
    },
  );
}

/** Routes for the oracle's agent in calls, which needs the user's media key. */
export function agentRoutes(app: HttpApp, { own, vault, config, now }: CallBoot, media: MediaServer) {
  // Without a token the routes are absent, in development too, because they open the calls of all users.
  restrictToOperators(app, { token: config.CALLS_AGENT_TOKEN, open: false });

  app.post(
    '/calls/:callId/agent',
    {
      schema: {
        operationId: 'joinCallAsAgent',
        summary: 'Join an open call as the oracle (operators)',
        description: 'Requires the bearer token `CALLS_AGENT_TOKEN`.',
        params: callPath,
        response: { 200: callTicket, 400: invalidRequest, 404: jsonError },
      },
    },
    async (request) => {
      const call = await own.findOpen(request.params.callId, now());
      if (call === undefined) throw new ServiceError('not_found', 'Call not found');
      return ticketFor('agent', call, { media, vault, now });
    },
  );
}

const bodyBytes = 64 * 1024;

/** `/calls/livekit`: events of the LiveKit server. */
export function webhookRoutes(app: HttpApp, { own, logger }: CallBoot, media: MediaServer): void {
  // The signature covers the raw bytes, so the body is not parsed, for any content type.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: bodyBytes }, (_, body, done) => done(null, body));

  app.post(
    '/calls/livekit',
    {
      bodyLimit: bodyBytes,
      schema: {
        operationId: 'receiveLiveKitEvent',
        summary: 'Receive an event of the LiveKit server',
        description: 'Signed with the API key of `LIVEKIT_API_KEY`. Repeated or reordered events have no effect.',
        response: { 200: z.object({ ok: z.literal(true) }), 403: jsonError },
      },
    },
    async (request) => {
      const event = await read(request.body, request.headers.authorization);
      if (event?.kind === 'closed') await own.closeRoom(event.callId, event.at);
      if (event?.kind === 'seen') await own.sight(event.callId, event);
      return { ok: true as const };
    },
  );

  async function read(body: unknown, authorization: string | undefined): Promise<RoomEvent | undefined> {
    try {
      return await media.readEvent(typeof body === 'string' ? body : '', authorization);
    } catch (err) {
      logger.info({ err }, 'webhook refused');
      throw new ServiceError('permission_denied', 'The request is not signed by the LiveKit server');
    }
  }
}
