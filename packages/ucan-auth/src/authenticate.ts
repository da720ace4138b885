import { type AuthFailure, type AuthOutcome, failureOf, type PresentedDelegation } from './auth-outcome.js';
import type { KeyBudget } from './key-budget.js';
import type { Presented } from './presented.js';
import type { Validation, Verdict } from './verdict.js';

export interface AuthenticatorParts<Sender> {
  /** For all keys of one request. */
  readonly budgetOf: (sender: Sender) => KeyBudget;
  readonly invocation: (token: string, budget: KeyBudget) => Promise<Validation>;
  /** By whoever may do `ability` on the DID that the token names. */
  readonly forOwner: (token: string, ability: string, budget: KeyBudget) => Promise<Validation>;
  /** By a delegation alone; undefined where that is no login. */
  readonly login: (token: string, budget: KeyBudget) => Promise<Validation> | undefined;
  readonly delegationBy: (issuer: string, token: string, budget: KeyBudget) => Promise<Validation>;
}

/** Who is calling, by what a request or a handshake presents. The function never rejects. */
export function authenticator<Sender>(parts: AuthenticatorParts<Sender>) {
  /** An invocation decides alone when there is one: a good delegation does not mend a bad invocation. */
  return async ({ invocation, delegation }: Presented, sender: Sender, actsBy?: string): Promise<AuthOutcome> => {
    const budget = parts.budgetOf(sender);
    if (invocation !== undefined) {
      const validation = await parts.invocation(invocation, budget);
      if (!validation.ok && validation.code === 'wrong_capability' && actsBy !== undefined) {
        const acting = await parts.forOwner(invocation, actsBy, budget);
        return acting.ok ? actorBy(acting.verdict) : refuse('invocation', acting.code, acting.retryAfterSeconds);
      }
      if (!validation.ok) return refuse('invocation', validation.code, validation.retryAfterSeconds);
      const { verdict } = validation;
      return callerBy('invocation', verdict, await delegationOf(verdict.issuer, delegation, budget));
    }
    if (delegation === undefined) return refuse('none', 'missing');
    const validation = await parts.login(delegation, budget);
    if (validation === undefined) return refuse('delegation', 'delegation_not_accepted');
    if (!validation.ok) return refuse('delegation', validation.code, validation.retryAfterSeconds);
    return callerBy('delegation', validation.verdict, presentedDelegation(delegation, validation.verdict));
  };

  async function delegationOf(did: string, token: string | undefined, budget: KeyBudget) {
    if (token === undefined) return undefined;
    const validation = await parts.delegationBy(did, token, budget);
    return validation.ok ? presentedDelegation(token, validation.verdict) : undefined;
  }
}

function callerBy(
  via: 'invocation' | 'delegation',
  verdict: Verdict,
  delegation: PresentedDelegation | undefined,
): AuthOutcome {
  const { issuer: did, validUntil, path } = verdict;
  return { ok: true, caller: { did, via, validUntil, path, ...(delegation === undefined ? {} : { delegation }) } };
}

/** What was claimed is the DID that the chain begins with. A delegation beside it would be the actor's own, and is of no use here. */
function actorBy({ issuer: actor, capabilities, validUntil, path }: Verdict): AuthOutcome {
  const [claimed] = capabilities;
  if (claimed === undefined) return refuse('invocation', 'not_authorized');
  return { ok: true, caller: { did: claimed.with, actor, via: 'invocation', validUntil, path } };
}

function presentedDelegation(token: string, { cid, expiresAt }: Verdict): PresentedDelegation {
  return { token, cid, expiresAt };
}

function refuse(
  artifact: AuthFailure['artifact'],
  reason: AuthFailure['reason'],
  retryAfterSeconds?: number,
): AuthOutcome {
  return { ok: false, failure: failureOf(artifact, reason, retryAfterSeconds) };
}
