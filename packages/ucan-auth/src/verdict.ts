import type { RefusalCode } from './refusal.js';
import type { Capability } from './ucan-block.js';

/** What is known of a good token. */
export interface Verdict {
  /** The DID that signed it: whoever is speaking. */
  readonly issuer: string;
  readonly audience: string;
  /** CID of the token's own UCAN. */
  readonly cid: string;
  /** What was judged, and holds; nothing of what else the token may say. Empty where only the speaker was asked for. */
  readonly capabilities: readonly Capability[];
  /** The token's own expiry, Unix seconds. */
  readonly expiresAt: number;
  /** When it stops being good: the earliest expiry on the path that authorises it, Unix seconds. */
  readonly validUntil: number;
  /** Until when it may be remembered, Unix seconds: a key that had to be looked up may be another one then. Else infinite. */
  readonly freshUntil: number;
  /** The UCANs on that path, the token's own first, the one it begins with last: what is done by a token is done for its issuer. */
  readonly path: readonly { readonly cid: string; readonly issuer: string }[];
}

export type Validation =
  | { readonly ok: true; readonly verdict: Verdict }
  | {
      readonly ok: false;
      readonly code: RefusalCode;
      /** With `rate_limited`: when it may be tried again. */
      readonly retryAfterSeconds?: number;
    };
