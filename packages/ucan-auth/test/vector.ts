import type { Capability } from '../src/auth.js';
import type { RefusalCode } from '../src/decode/refusal.js';
import type { Attack } from './attack.js';
import type { TokenUse } from './token-use.js';

/** One published case: token, use and expected result. */
export type Vector = (TokenUse | { readonly ask: 'login' }) & {
  readonly name: string;
  readonly token: string;
  /** Stored revocations. Default: none. */
  readonly revocations?: readonly { readonly cid: string; readonly issuer: string }[];
  readonly expected:
    | { readonly ok: true; readonly issuer: string; readonly capabilities: readonly Capability[] }
    | { readonly ok: false; readonly reason: RefusalCode };
};

export const refusedAs = (reason: RefusalCode): Vector['expected'] => ({ ok: false, reason });

export const grantedBy = (issuer: string, ...capabilities: Capability[]): Vector['expected'] => ({
  ok: true,
  issuer,
  capabilities,
});

export function vectorOf({ name, token, code }: Attack): Vector {
  return { name, token, ask: 'invocation', expected: refusedAs(code) };
}
