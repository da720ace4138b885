import { invalidRequest, jsonError } from '@mlango/schemas/errors';
import { callPath, callTicket } from '@mlango/schemas/oracle-calls';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { restrictToOperators } from '../api/operator-routes.js';
import { ticketFor } from './call-ticket.js';
import type { MediaServer } from './media-server.js';
import type { CallBoot } from './tables.js';

/** For whoever speaks for the oracle in calls: it needs the key that the user was given. */
export function agentRoutes(app: HttpApp, { own, vault, config, now }: CallBoot, media: MediaServer) {
  // Without a token the route is as if absent, in development too: it opens the calls of all users.
  restrictToOperators(app, { token: config.CALLS_AGENT_TOKEN, open: false });

  app.post(
    '/calls/:callId/agent',
    {
      schema: {
        operationId: 'joinCallAsAgent',
        summary: 'Join an open call as the oracle (operators)',
        description: 'With the bearer `CALLS_AGENT_TOKEN`.',
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
