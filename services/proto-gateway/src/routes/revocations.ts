import { gatewayRevocation } from '@mlango/schemas/proto-gateway';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';

/** `POST /revocations`: takes a token back, by a token that its issuer, or one it rests on, has signed for that. */
export function revocationRoute(
  app: HttpApp,
  revoke: (token: string) => Promise<'recorded' | 'refused' | 'unavailable'>,
): void {
  app.post('/revocations', { schema: { hide: true, body: gatewayRevocation } }, async (request, reply) => {
    switch (await revoke(request.body.token)) {
      case 'recorded':
        return reply.code(204).send();
      case 'refused':
        throw new ServiceError('invalid_argument', 'This is no token by which its signer takes one back here');
      case 'unavailable':
        throw new ServiceError('unavailable', 'The revocation could not be recorded', {
          headers: { 'retry-after': '2' },
        });
    }
  });
}
