import { revocationBody, revocationRecorded } from '@mlango/schemas/oracle-delegation';
import { addressKey, type HttpApp, refusedRevocation } from '@mlango/service-kit/http-app';
import type { UcanAuth } from '@mlango/ucan-auth/auth';
import type { Realtime } from '../sockets/realtime.js';
import { errorReplies } from './error-replies.js';

export interface RevocationRoutesDeps {
  readonly auth: Pick<UcanAuth, 'revoke'>;
  readonly realtime: Pick<Realtime, 'closeRevoked'>;
}

/** `POST /revocations`: a token is taken back, by a token that its issuer, or one it rests on, has signed for that. */
export function revocationRoutes(app: HttpApp, { auth, realtime }: RevocationRoutesDeps): void {
  app.post(
    '/revocations',
    {
      schema: {
        tags: ['delegation'],
        operationId: 'revokeToken',
        summary: 'Revoke a token',
        description:
          'An invocation or a delegation that got into the wrong hands, before it expires, and whatever rests on it. Only ' +
          'what the signer has issued is taken back, whoever sends it here. Dropping a delegation that this service keeps ' +
          'does not take it back: whoever else holds it can still show it. Sockets that were opened with it are closed.',
        body: revocationBody,
        response: { 200: revocationRecorded, ...errorReplies(400, 401, 409, 413, 415) },
      },
    },
    async (request) => {
      const revoked = await auth.revoke(request.body.token, { address: addressKey(request.ip) });
      if (revoked.ok) {
        await realtime.closeRevoked(revoked.revoked);
        return { ok: true as const };
      }
      throw refusedRevocation(revoked);
    },
  );
}
