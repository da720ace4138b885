import { mostPerAddress } from '@mlango/service-kit/env';
import { type Allowance, allowance, type RateLimitStore } from '@mlango/service-kit/rate-limit';
import type { RevocationAllowances } from '@mlango/ucan-auth/auth';
import type { StoredAllowances } from './store/storage-limits.js';

/** Limits of the process; what one turn may take is in `turns/turn-limits.ts`, what one socket may in `realtime/limits.ts`. */

/** What `RATE_LIMIT_MAX` and `RATE_LIMIT_PER_ADDRESS` are counted in (`app`, `address-allowances`). */
export const rateWindowMs = 60_000;
/** Revocations that one issuer, and that all callers of one address together, may ask for in a minute (`address-allowances`). */
const revocationsPerMinute = { ofIssuer: 30, ofAddress: 300 };
/** What `MESSAGES_PER_USER_PER_DAY`, `TURNS_PER_ADDRESS` and `STORAGE_BYTES_PER_ADDRESS` are counted in: a limit of a minute does not bound costs. */
export const dayMs = 86_400_000;
/** Bytes of a stored row on average, from which the rows of an address in a day follow. */
const storedRowBytes = 16_384;

/** Allowances per address, since one client can create many users. Holders are `addressKey`s. */
export interface AddressAllowances {
  /** Authenticated requests and socket handshakes, counted before a token is verified. */
  readonly requests: Allowance;
  /** Key look-ups. */
  readonly lookUps: Allowance;
  /** Revocations per address and per issuer. */
  readonly revoking: RevocationAllowances;
  /** Messages to the model, in a day. */
  readonly turns: Allowance;
  /** Bytes and rows that are stored, in a day. */
  readonly stored: StoredAllowances;
}

export interface AddressSettings {
  readonly RATE_LIMIT_MAX: number;
  readonly RATE_LIMIT_PER_ADDRESS?: number | undefined;
  readonly TURNS_PER_ADDRESS: number;
  readonly STORAGE_BYTES_PER_ADDRESS: number;
}

export function addressAllowances(settings: AddressSettings, store: RateLimitStore): AddressAllowances {
  const each = (name: string, max: number, windowMs = rateWindowMs) => allowance({ store, name, max, windowMs });
  return {
    requests: each('address', mostPerAddress(settings)),
    // Unauthenticated callers may cause as many look-ups as one user has requests.
    lookUps: each('look-ups', settings.RATE_LIMIT_MAX),
    revoking: {
      ofAddress: each('revocations', revocationsPerMinute.ofAddress),
      ofIssuer: each('revocations-by', revocationsPerMinute.ofIssuer),
    },
    turns: each('turns', settings.TURNS_PER_ADDRESS, dayMs),
    stored: {
      bytes: each('stored-bytes', settings.STORAGE_BYTES_PER_ADDRESS, dayMs),
      rows: each('stored-rows', Math.ceil(settings.STORAGE_BYTES_PER_ADDRESS / storedRowBytes), dayMs),
    },
  };
}
