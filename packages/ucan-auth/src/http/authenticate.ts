import type { Validation, VerifiedToken } from '../verify/result.js';
import type { KeyBudget } from '../verify/verify-token.js';
import { type AuthFailure, type AuthOutcome, type CallerDelegation, failureOf } from './auth-outcome.js';

/** Request headers as Node provides them: lower-case names. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Tokens of one request or handshake; undefined: absent. */
export interface Credentials {
  readonly invocation: string | undefined;
  readonly delegation: string | undefined;
}

const BEARER = 'bearer ';

/** A text that is never a token. */
const INVALID_TOKEN = '!';

/** Credentials in HTTP headers. A bearer token counts only with exactly `X-Auth-Type: ucan`; `x-did` is ignored. */
export function credentialsInHeaders(headers: RequestHeaders): Credentials {
  const authorization = headers['x-auth-type'] === 'ucan' ? single(headers['authorization']) : undefined;
  const isBearer = authorization?.slice(0, BEARER.length).toLowerCase() === BEARER;
  const invocation = isBearer ? authorization?.slice(BEARER.length).trim() : undefined;
  return { invocation: orAbsent(invocation), delegation: orAbsent(single(headers['x-ucan-delegation'])?.trim()) };
}

/** Credentials in the `auth` object of a WebSocket handshake. A value that is not text is an invalid token, not an absent one. */
export function credentialsInHandshake(auth: unknown): Credentials {
  if (typeof auth !== 'object' || auth === null) return { invocation: undefined, delegation: undefined };
  const { invocation, ucanDelegation }: { invocation?: unknown; ucanDelegation?: unknown } = auth;
  return { invocation: tokenOf(invocation), delegation: tokenOf(ucanDelegation) };
}

function tokenOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? orAbsent(value.trim()) : INVALID_TOKEN;
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

function orAbsent(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** Verifications of one service that authentication needs, all with the key budget of the request. */
export interface AuthenticatorParts {
  readonly invocation: (token: string, budget: KeyBudget) => Promise<Validation>;
  /** An invocation of `ability` on a DID, by any issuer that the DID granted it to. */
  readonly onBehalf: (token: string, ability: string, budget: KeyBudget) => Promise<Validation>;
  /** A delegation without an invocation; undefined if the service does not accept it. */
  readonly login: (token: string, budget: KeyBudget) => Promise<Validation> | undefined;
  readonly delegationBy: (issuer: string, token: string, budget: KeyBudget) => Promise<Validation>;
}

/** Determines the caller of a request or a handshake by its credentials. The returned function never rejects. */
export function authenticator(parts: AuthenticatorParts) {
  /** A valid delegation does not replace an invalid invocation. */
  return async (
    { invocation, delegation }: Credentials,
    budget: KeyBudget,
    onBehalfAbility?: string,
  ): Promise<AuthOutcome> => {
    if (invocation !== undefined) {
      const validation = await parts.invocation(invocation, budget);
      if (!validation.ok && validation.code === 'wrong_capability' && onBehalfAbility !== undefined) {
        const acting = await parts.onBehalf(invocation, onBehalfAbility, budget);
        return acting.ok ? actor(acting.result) : refuse('invocation', acting.code, acting.retryAfterSeconds);
      }
      if (!validation.ok) return refuse('invocation', validation.code, validation.retryAfterSeconds);
      const { result } = validation;
      return caller('invocation', result, await delegationOf(result.issuer, delegation, budget));
    }
    if (delegation === undefined) return refuse('none', 'missing');
    const validation = await parts.login(delegation, budget);
    if (validation === undefined) return refuse('delegation', 'delegation_not_accepted');
    if (!validation.ok) return refuse('delegation', validation.code, validation.retryAfterSeconds);
    return caller('delegation', validation.result, callerDelegation(delegation, validation.result));
  };

  async function delegationOf(did: string, token: string | undefined, budget: KeyBudget) {
    if (token === undefined) return undefined;
    const validation = await parts.delegationBy(did, token, budget);
    return validation.ok ? callerDelegation(token, validation.result) : undefined;
  }
}

function caller(
  via: 'invocation' | 'delegation',
  { issuer: did, validUntil, path }: VerifiedToken,
  delegation: CallerDelegation | undefined,
): AuthOutcome {
  return { ok: true, caller: { did, via, validUntil, path, ...(delegation === undefined ? {} : { delegation }) } };
}

/** The claimed resource is the DID that the caller acts for. A delegation in the request would be the actor's and is ignored. */
function actor({ issuer, capabilities, validUntil, path }: VerifiedToken): AuthOutcome {
  const [claimed] = capabilities;
  if (claimed === undefined) return refuse('invocation', 'not_authorized');
  return { ok: true, caller: { did: claimed.with, actor: issuer, via: 'invocation', validUntil, path } };
}

function callerDelegation(token: string, { cid, expiresAt }: VerifiedToken): CallerDelegation {
  return { token, cid, expiresAt };
}

function refuse(
  artifact: AuthFailure['artifact'],
  reason: AuthFailure['reason'],
  retryAfterSeconds?: number,
): AuthOutcome {
  return { ok: false, failure: failureOf(artifact, reason, retryAfterSeconds) };
}
