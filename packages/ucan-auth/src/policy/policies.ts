import { CBOR } from '@ucanto/core';
import type { Capability } from '../decode/ucan-block.js';
import { REVOKE_ABILITY } from './capabilities.js';
import type { Requirements } from './requirements.js';
import { ownerOf } from './resource-owner.js';

/** One use of a token, with its requirements. */
export interface Policy {
  /** Unique among all policies of a service: results are cached by it and the token. */
  readonly name: string;
  readonly requirements: Requirements;
}

export interface PolicyOptions {
  /** DIDs of the service. */
  readonly audiences: ReadonlySet<string>;
  /** Resources that an invocation may name. */
  readonly resources: ReadonlySet<string>;
  /** How far ahead the expiry of an invocation may be, in seconds. */
  readonly maxTtlSeconds: number;
  /** The same for a delegation. */
  readonly maxDelegationTtlSeconds: number;
}

/** The policies of one service, one for each use of a token. */
export function policiesOf({ audiences, resources, maxTtlSeconds, maxDelegationTtlSeconds }: PolicyOptions) {
  const ofInvocation = (only: NonNullable<Requirements['only']>): Requirements => {
    return { audiences, ttlLimitSeconds: maxTtlSeconds, only, proofKind: 'authority' };
  };
  const ofDelegation = { audiences, ttlLimitSeconds: maxDelegationTtlSeconds };
  const equals = (resource: string) => (claimed: string) => claimed === resource;
  return {
    invocation: {
      name: 'invocation',
      requirements: ofInvocation({ can: '*', accepts: (resource) => resources.has(resource), caveats: 'none' }),
    },
    delegation: { name: 'delegation', requirements: { ...ofDelegation, proofKind: 'authority' } },
    identity: { name: 'identity', requirements: { ...ofDelegation, proofKind: 'identity' } },
    identityOf: (issuer: string): Policy => ({
      name: `identity of ${issuer}`,
      requirements: { ...ofDelegation, issuer, proofKind: 'identity' },
    }),
    login: {
      name: 'login',
      requirements: { ...ofDelegation, covers: new Set([...resources, ...audiences]), proofKind: 'identity' },
    },
    /** Undefined if the caveats are not data. */
    grant: (grants: Capability): Policy | undefined => {
      const name = grantName(grants);
      return name === undefined
        ? undefined
        : { name, requirements: { ...ofDelegation, grants, proofKind: 'authority' } };
    },
    authorize: (can: string, resource: string): Policy => ({
      name: `authorize ${can} ${resource}`,
      requirements: ofInvocation({ can, accepts: equals(resource), caveats: 'any' }),
    }),
    /** The resource is the DID that the issuer acts for. */
    onBehalf: (can: string): Policy => ({
      name: `on behalf ${can}`,
      requirements: ofInvocation({ can, accepts: (resource) => ownerOf(resource) === resource, caveats: 'none' }),
    }),
    consent: (issuer: string, { can, with: resource }: Capability): Policy => ({
      name: `consent ${can} ${resource} ${issuer}`,
      requirements: {
        ...ofInvocation({ can, accepts: equals(resource), caveats: 'any' }),
        issuer,
        proofKind: 'identity',
      },
    }),
    /** The resource is the issuer's own DID. */
    revoke: {
      name: REVOKE_ABILITY,
      requirements: ofInvocation({
        can: REVOKE_ABILITY,
        accepts: (resource, issuer) => resource === issuer,
        caveats: 'any',
      }),
    },
  } as const satisfies Record<string, Policy | ((...parameters: never[]) => Policy | undefined)>;
}

function grantName({ can, with: resource, nb = {} }: Capability): string | undefined {
  try {
    return `grant ${JSON.stringify([can, resource])} ${Buffer.from(CBOR.encode(nb)).toString('base64')}`;
  } catch {
    return undefined;
  }
}
