import { gatewayRevocation } from '@mlango/schemas/proto-gateway';
import { ServiceError } from '@mlango/service-kit/errors';
import { addressKey, type HttpApp, tooMany } from '@mlango/service-kit/http-app';

/** What came of a token that takes another one back; `address` is where it came from. */
export type Revoke = (
  token: string,
  address: string,
) => Promise<'recorded' | 'malformed' | 'refused' | 'no_room' | 'unavailable' | { readonly retryAfterSeconds: number }>;

/** `POST /revocations`: takes a token back, by a token that its issuer, or one it rests on, has signed for that. */
export function revocationRoute(app: HttpApp, revoke: Revoke): void {
  app.post('/revocations', { schema: { hide: true, body: gatewayRevocation } }, async (request, reply) => {
    const outcome = await revoke(request.body.token, addressKey(request.ip));
    if (typeof outcome === 'object') throw tooMany(outcome.retryAfterSeconds, 'revocations');
    switch (outcome) {
      case 'recorded':
        return reply.code(204).send();
      case 'malformed':
        throw new ServiceError('invalid_argument', 'This is no UCAN that can be read');
      case 'refused':
        throw new ServiceError('invalid_argument', 'This is no token by which its signer takes one back here');
      case 'no_room':
        throw new ServiceError('conflict', 'As many revocations by this signer are kept as there may be');
      case 'unavailable':
        throw new ServiceError('unavailable', 'The revocation could not be recorded', {
          headers: { 'retry-after': '2' },
        });
    }
  });
}
