import type { Caller } from '@mlango/ucan-auth/auth-outcome';

/**
 * Whether a caller is the user by an invocation that their own key signed, without proofs. Rights that outlive a token (API keys, standing
 * approvals) need one: a stolen delegation could otherwise make a right that its revocation does not end.
 */
export function isOwnSignature({ via, actor, path }: Pick<Caller, 'via' | 'actor' | 'path'>): boolean {
  return via === 'invocation' && actor === undefined && path.length === 1;
}
