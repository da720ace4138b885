import type { Sender } from '../dids/did-resolver.js';
import type { AuthFailure, AuthOutcome, Caller } from './auth-outcome.js';

export interface HandshakeOptions extends Sender {
  readonly auth: { handshake(auth: unknown, sender?: Sender): Promise<AuthOutcome> };
  /** Called with the reason of a refusal, for logs and metrics. The client gets no reason. */
  readonly onRefusal?: (failure: AuthFailure) => void;
}

/**
 * Authenticates a WebSocket handshake by its `auth` object, `{ invocation?, ucanDelegation? }`, under the rules of HTTP requests. Other
 * fields are ignored. Undefined: drop the socket. Never rejects.
 */
export async function callerOfHandshake(
  handshake: unknown,
  { auth, onRefusal, address }: HandshakeOptions,
): Promise<Caller | undefined> {
  const outcome = await auth.handshake(handshake, { address });
  if (outcome.ok) return outcome.caller;
  onRefusal?.(outcome.failure);
  return undefined;
}
