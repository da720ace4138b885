import type { UcanAuth } from '@mlango/ucan-auth/auth';
import type { ApiKey } from './api-keys.js';

/** Request headers as Node gives them: lower-case names. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Why a caller does not get in. */
export interface Refusal {
  /** Nothing shown, not good enough, or nobody could tell at the moment, or not so often for this address. */
  readonly code: 'unauthenticated' | 'permission_denied' | 'unavailable' | 'rate_limited';
  /** For the caller; the same whatever was wrong with what was shown. */
  readonly message: string;
  /** For the log: a word of a closed set, never anything that was shown. */
  readonly reason: string;
  /** With `rate_limited`. */
  readonly retryAfterSeconds?: number | undefined;
}

export type Admission =
  | {
      readonly ok: true;
      /** Whose requests are counted together, such as `key:wallet`; `undefined` leaves it to the address. */
      readonly counted: string | undefined;
      /** The key that was shown, where there are keys. */
      readonly key?: ApiKey | undefined;
      /** False once what was shown would not be let in as it was. Rejects when nobody can tell. */
      readonly isAuthorised: () => boolean | Promise<boolean>;
    }
  | { readonly ok: false; readonly refusal: Refusal };

/** Decides by its headers who may send a request. */
export interface Gate {
  /** What `WWW-Authenticate` says to a caller who shows nothing. */
  readonly challenge: string;
  /** Never rejects. `address` is where the request came from, at whose cost keys are looked up. */
  admit(headers: RequestHeaders, address: string): Promise<Admission>;
}

/** The token of `Authorization: Bearer`; `undefined` for any other scheme and for none. */
export function bearerOf(headers: RequestHeaders): string | undefined {
  const { authorization } = headers;
  return typeof authorization === 'string' ? /^Bearer +(\S+) *$/i.exec(authorization)?.[1] : undefined;
}

/** How callers authenticate to the gateway. */
export type GateKind = 'api-key' | 'ucan';

/** Access control of a gateway that is not open. */
export interface Access {
  readonly kind: GateKind;
  readonly gate: Gate;
  /** Revokes tokens; omitted where callers use keys. */
  readonly revocations?: Pick<UcanAuth, 'revoke'> | undefined;
}
