import { gatewayRevocation } from '@mlango/schemas/proto-gateway';
import { addressKey, type HttpApp } from '@mlango/service-kit/http-app';
import type { UcanAuth } from '@mlango/ucan-auth/auth';
import { refusedRevocation } from '@mlango/ucan-auth/refused-revocation';

/** `POST /revocations`: takes a token back, by a token that its issuer, or one it rests on, has signed for that. */
export function revocationRoute(app: HttpApp, { revoke }: Pick<UcanAuth, 'revoke'>): void {
  app.post('/revocations', { schema: { hide: true, body: gatewayRevocation } }, async (request, reply) => {
    const revoked = await revoke(request.body.token, { address: addressKey(request.ip) });
    if (!revoked.ok) throw refusedRevocation(revoked);
    return reply.code(204).send();
  });
}
