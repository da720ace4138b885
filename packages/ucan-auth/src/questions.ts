import { CBOR } from '@ucanto/core';
import type { Expectation } from './expectations.js';
import { REVOKE } from './read-revocation.js';
import type { Capability } from './ucan-block.js';

/** What is asked of a token. */
export interface Question {
  /** Tells it from all others: a verdict is remembered by it and the token. */
  readonly name: string;
  readonly expected: Expectation;
}

export interface QuestionOptions {
  /** The DIDs of the service. */
  readonly audiences: ReadonlySet<string>;
  /** Resources an invocation may name. */
  readonly resources: ReadonlySet<string>;
  /** How far ahead the expiry of an invocation may lie, and that of a delegation, in seconds. */
  readonly maxTtlSeconds: number;
  readonly maxDelegationTtlSeconds: number;
}

/** All that one service asks of tokens. */
export function questionsOf({ audiences, resources, maxTtlSeconds, maxDelegationTtlSeconds }: QuestionOptions) {
  const ofInvocation = { audiences, ttlLimitSeconds: maxTtlSeconds };
  const ofDelegation = { audiences, ttlLimitSeconds: maxDelegationTtlSeconds };
  const only = (can: string, resource: string, caveats: 'none' | 'any') => {
    return { can, resources: new Set([resource]), caveats };
  };
  return {
    invocation: {
      name: 'invocation',
      expected: { ...ofInvocation, only: { can: '*', resources, caveats: 'none' }, standing: 'owner' },
    },
    delegation: { name: 'delegation', expected: { ...ofDelegation, standing: 'owner' } },
    identity: { name: 'identity', expected: { ...ofDelegation, standing: 'speaker' } },
    identityOf: (issuer: string): Question => ({
      name: `identity of ${issuer}`,
      expected: { ...ofDelegation, issuer, standing: 'speaker' },
    }),
    login: {
      name: 'login',
      expected: { ...ofDelegation, covers: new Set([...resources, ...audiences]), standing: 'speaker' },
    },
    /** Undefined when the caveats are no data. */
    grant: (grants: Capability): Question | undefined => {
      const name = grantName(grants);
      return name === undefined ? undefined : { name, expected: { ...ofDelegation, grants, standing: 'owner' } };
    },
    authorize: (can: string, resource: string): Question => ({
      name: `authorize ${can} ${resource}`,
      expected: { ...ofInvocation, only: only(can, resource, 'any'), standing: 'owner' },
    }),
    forOwner: (can: string, owner: string): Question => ({
      name: `${can} for ${owner}`,
      expected: { ...ofInvocation, only: only(can, owner, 'none'), standing: 'owner' },
    }),
    consent: (issuer: string, { can, with: resource }: Capability): Question => ({
      name: `consent ${can} ${resource} ${issuer}`,
      expected: { ...ofInvocation, only: only(can, resource, 'any'), issuer, standing: 'speaker' },
    }),
    revoke: (issuer: string): Question => ({
      name: REVOKE,
      expected: { ...ofInvocation, only: only(REVOKE, issuer, 'any'), standing: 'owner' },
    }),
  } as const satisfies Record<string, Question | ((...about: never[]) => Question | undefined)>;
}

function grantName({ can, with: resource, nb = {} }: Capability): string | undefined {
  try {
    return `grant ${JSON.stringify([can, resource])} ${Buffer.from(CBOR.encode(nb)).toString('base64')}`;
  } catch {
    return undefined;
  }
}
