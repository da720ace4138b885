import type { Sender } from './allowance.js';
import type { AuthFailure, AuthOutcome, Caller } from './auth-outcome.js';

export interface HandshakeOptions extends Sender {
  readonly auth: { handshake(presented: unknown, sender?: Sender): Promise<AuthOutcome> };
  /** Told why a socket is not let in, for logs and metrics; whoever knocked is told nothing. */
  readonly onRefusal?: (failure: AuthFailure) => void;
}

/**
 * Who opens a WebSocket with this `auth` object, `{ invocation?, ucanDelegation? }`, by the rules of HTTP requests;
 * undefined: drop the socket. Whatever else stands in the object is nobody's proof. Never rejects.
 */
export async function callerOfHandshake(
  presented: unknown,
  { auth, onRefusal, address }: HandshakeOptions,
): Promise<Caller | undefined> {
  const outcome = await auth.handshake(presented, { address });
  if (outcome.ok) return outcome.caller;
  onRefusal?.(outcome.failure);
  return undefined;
}
