import { gatewayRevocation } from '@mlango/schemas/proto-gateway';
import { addressKey, type HttpApp, refusedRevocation } from '@mlango/service-kit/http-app';
import type { UcanAuth } from '@mlango/ucan-auth/auth';

/** `POST /revocations`: takes a token back, by a token that its issuer, or one it rests on, has signed for that. */
export function revocationRoute(app: HttpApp, auth: Pick<UcanAuth, 'revoke'>): void {
  app.post('/revocations', { schema: { hide: true, body: gatewayRevocation } }, async (request, reply) => {
    const revoked = await auth.revoke(request.body.token, { address: addressKey(request.ip) });
    if (!revoked.ok) throw refusedRevocation(revoked);
    return reply.code(204).send();
  });
}
