import {
  type Allowance,
  type AuthFailure,
  type AuthOutcome,
  type Caller,
  type CallerDelegation,
  type Capability,
  createUcanAuth,
  type DidResolver,
  type KeyResolution,
  type RefusalCode,
  type RequestHeaders,
  type RevocationAllowances,
  type RevocationResult,
  type Sender,
  type Taken,
  type UcanAuth,
  type UcanAuthOptions,
  type Validation,
  type VerifiedToken,
} from '@mlango/ucan-auth/auth';
import { failureOf, INVALID_TEXT, MISSING_TEXT, UNAVAILABLE_TEXT } from '@mlango/ucan-auth/auth-outcome';
import { didOfKey, isEd25519DidKey, keyOfDid, keyOfMultibase } from '@mlango/ucan-auth/did-key';
import { KEYS_SECONDS, type KeyLookup } from '@mlango/ucan-auth/did-resolver';
import { callerOf, UcanAuthError, type UcanAuthPluginOptions, ucanAuthPlugin } from '@mlango/ucan-auth/fastify';
import {
  createIxoDidResolver,
  type GatewayOptions,
  type IndexerOptions,
  type IxoDidResolver,
} from '@mlango/ucan-auth/ixo-did-resolver';
import { ownerOf } from '@mlango/ucan-auth/resource-owner';
import Fastify from 'fastify';

// A service of a consumer with a protected route and a socket, without a cast.

const indexer: IndexerOptions = { graphqlUrl: 'https://indexer.example/graphql', cacheSeconds: 60 };
const gateway: GatewayOptions = { gatewayUrl: 'https://gateway.example' };

export function resolvers(): IxoDidResolver[] {
  return [createIxoDidResolver(indexer), createIxoDidResolver(gateway)];
}

/** A resolver of the consumer's own DID method. */
export function ownResolver(keys: ReadonlyMap<string, string>): DidResolver {
  return {
    method: 'example',
    async resolve(did, lookup?: KeyLookup): Promise<KeyResolution> {
      const taken = await lookup?.takeAllowance?.();
      if (taken?.ok === false) return { ok: false, code: 'rate_limited', retryAfterSeconds: taken.retryAfterSeconds };
      const key = keyOfMultibase(keys.get(did) ?? '') ?? keyOfDid(did);
      return key === undefined || !isEd25519DidKey(didOfKey(key))
        ? { ok: true, keys: [] }
        : { ok: true, keys: [key], until: Date.now() / 1000 + KEYS_SECONDS };
    },
    forget: () => {},
  };
}

export function authOf(options: Omit<UcanAuthOptions, 'audiences'>): UcanAuth {
  return createUcanAuth({ audiences: ['did:ixo:entity:oracle'], ...options });
}

export async function appOf(auth: UcanAuth) {
  const app = Fastify();
  const toError = (failure: AuthFailure) => new UcanAuthError(failure);
  const options: UcanAuthPluginOptions = { auth, toError };
  await app.register(ucanAuthPlugin, options);
  app.get('/me', { onRequest: app.requireUcan }, async (request) => describe(callerOf(request)));
  return app;
}

export async function socketOf(handshake: unknown, auth: UcanAuth, log: string[]): Promise<string | undefined> {
  const outcome = await auth.handshake(handshake);
  if (outcome.ok) return describe(outcome.caller);
  log.push(outcome.failure.artifact, outcome.failure.reason);
  return undefined;
}

export function describe({ did, via, validUntil, delegation }: Caller): string {
  const granted: CallerDelegation | undefined = delegation;
  return [did, via, validUntil, granted?.cid, granted?.expiresAt].join();
}

/** One unit per address. */
export function oneEach(): Allowance {
  const served = new Set<string>();
  return {
    async take(address): Promise<Taken> {
      const isFirst = !served.has(address);
      served.add(address);
      return isFirst ? { ok: true } : { ok: false, retryAfterSeconds: 60 };
    },
  };
}

export const revoking: RevocationAllowances = { ofAddress: oneEach(), ofIssuer: oneEach() };

export async function revokedBy(auth: UcanAuth, token: string): Promise<string> {
  const outcome: RevocationResult = await auth.revoke(token);
  return outcome.ok ? outcome.revoked.cid : outcome.code;
}

export async function statusOf(auth: UcanAuth, headers: RequestHeaders, sender: Sender): Promise<number> {
  const outcome: AuthOutcome = await auth.request(headers, sender);
  return outcome.ok ? 200 : outcome.failure.status;
}

export function textOf(validation: Validation): string {
  if (validation.ok) return issuerOf(validation.result);
  const code: RefusalCode = validation.code;
  const { message } = failureOf('invocation', code);
  return [INVALID_TEXT, MISSING_TEXT, UNAVAILABLE_TEXT].includes(message) ? code : message;
}

function issuerOf({ issuer, path }: VerifiedToken): string {
  return path[0]?.issuer ?? issuer;
}

/** Owners of the resources of a token. */
export function ownersOf({ capabilities }: VerifiedToken): (string | undefined)[] {
  return capabilities.map((capability: Capability) => ownerOf(capability.with));
}
