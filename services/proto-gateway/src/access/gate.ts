import type { UcanAuth } from '@mlango/ucan-auth/auth';
import type { ApiKey } from './key-plan.js';

/** Request headers as Node gives them: lower-case names. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Why a caller does not get in. */
export interface Refusal {
  /** Missing credentials, invalid credentials, an unavailable check, or an exceeded limit of the address. */
  readonly code: 'unauthenticated' | 'permission_denied' | 'unavailable' | 'rate_limited';
  /** For the caller; the same for all invalid credentials. */
  readonly message: string;
  /** For the log: a word of a closed set, never a part of the credentials. */
  readonly reason: string;
  /** With `rate_limited`. */
  readonly retryAfterSeconds?: number | undefined;
}

export type Admission =
  | {
      readonly ok: true;
      /** The rate limit key, such as `key:wallet`; `undefined`: the address. */
      readonly rateLimitKey: string | undefined;
      /** The presented key, if callers use keys. */
      readonly key?: ApiKey | undefined;
      /** False once the credentials are no longer valid. Rejects if that cannot be checked. */
      readonly isAuthorised: () => boolean | Promise<boolean>;
    }
  | { readonly ok: false; readonly refusal: Refusal };

/** Admits or refuses a request by its headers. */
export interface Gate {
  /** `WWW-Authenticate` for requests without credentials. */
  readonly challenge: string;
  /** Never rejects. Key lookups use the allowance of `address`, the caller's address. */
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
