import type { Capability, UcanAuth, Validation } from '../src/auth.js';

/** One use of a token by a service, as data; `ask` is the field of the published vectors. */
export type TokenUse =
  | { readonly ask: 'invocation' | 'delegation' | 'identity' }
  | { readonly ask: 'authorize'; readonly capability: Capability }
  | { readonly ask: 'consent'; readonly capability: Capability; readonly issuer: string }
  | { readonly ask: 'grant'; readonly capability: Capability };

/** Verifies a token with the implementation under test. */
export function verifyFor(auth: UcanAuth, token: string, use: TokenUse): Promise<Validation> {
  switch (use.ask) {
    case 'invocation':
      return auth.invocation(token);
    case 'delegation':
      return auth.delegation(token);
    case 'identity':
      return auth.delegationIdentity(token);
    case 'authorize':
      return auth.authorize(token, use.capability.can, use.capability.with);
    case 'consent':
      return auth.consent(token, use.issuer, use.capability);
    case 'grant':
      return auth.grant(token, use.capability);
  }
}
