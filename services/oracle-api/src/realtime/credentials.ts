import { createHash } from 'node:crypto';

/** Digests of the tokens that a socket or a request shows; those of one tab have one in common. Tokens are never kept. */
export function credentialsOf(...tokens: readonly unknown[]): string[] {
  return tokens.flatMap((token) => {
    const text = typeof token === 'string' ? token.trim() : '';
    return text === '' ? [] : [createHash('sha256').update(text).digest('base64url')];
  });
}

/** What stands in the auth object of a socket where tokens should. */
export function tokensInAuth(auth: unknown): unknown[] {
  if (typeof auth !== 'object' || auth === null) return [];
  const { invocation, ucanDelegation }: { invocation?: unknown; ucanDelegation?: unknown } = auth;
  return [invocation, ucanDelegation];
}
