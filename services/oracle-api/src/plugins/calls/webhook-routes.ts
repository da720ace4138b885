import { jsonError } from '@mlango/schemas/errors';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { z } from 'zod';
import type { MediaServer, RoomEvent } from './media-server.js';
import type { CallBoot } from './tables.js';

const bodyBytes = 64 * 1024;

/** `/calls/livekit`: what the LiveKit server tells of rooms. */
export function webhookRoutes(app: HttpApp, { own, logger }: CallBoot, media: MediaServer): void {
  // The signature is over the bytes, so they are kept as they came, under whatever type.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: bodyBytes }, (_, body, done) => done(null, body));

  app.post(
    '/calls/livekit',
    {
      bodyLimit: bodyBytes,
      schema: {
        operationId: 'receiveLiveKitEvent',
        summary: 'Webhook of the LiveKit server',
        description:
          'Signed with the API key of `LIVEKIT_API_KEY`. Told more than once, or in another order, it changes nothing.',
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
