import type { Capability, UcanAuth, Validation } from '../src/auth.js';

/** What a service may ask of a token, as data. */
export type Question =
  | { readonly ask: 'invocation' | 'delegation' | 'identity' }
  | { readonly ask: 'authorize'; readonly capability: Capability }
  | { readonly ask: 'consent'; readonly capability: Capability; readonly issuer: string }
  | { readonly ask: 'grant'; readonly capability: Capability };

/** Puts it to the implementation under test. */
export function ask(auth: UcanAuth, token: string, question: Question): Promise<Validation> {
  switch (question.ask) {
    case 'invocation':
      return auth.invocation(token);
    case 'delegation':
      return auth.delegation(token);
    case 'identity':
      return auth.delegationIdentity(token);
    case 'authorize':
      return auth.authorize(token, question.capability.can, question.capability.with);
    case 'consent':
      return auth.consent(token, question.issuer, question.capability);
    case 'grant':
      return auth.grant(token, question.capability);
  }
}
