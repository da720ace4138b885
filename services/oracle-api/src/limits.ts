import { mostPerAddress } from '@mlango/service-kit/env';
import {
  type Allowance,
  allowance,
  type RateLimitStore,
  type ReturnableAllowance,
} from '@mlango/service-kit/rate-limit';
import type { RevocationAllowances } from '@mlango/ucan-auth/auth';
import type { StoredAllowances } from './store/storage-limits.js';

/** Limits of the process. Limits of a turn are in `agent/fixed-limits.ts`, limits of a socket in `sockets/limits.ts`. */

/** Period of `RATE_LIMIT_MAX` and `RATE_LIMIT_PER_ADDRESS`. */
export const rateWindowMs = 60_000;
/** Revocations per minute, by issuer and by address. */
const revocationsPerMinute = { ofIssuer: 30, ofAddress: 300 };
/** Period of `MESSAGES_PER_USER_PER_DAY`, `TURNS_PER_ADDRESS` and `STORAGE_BYTES_PER_ADDRESS`: a limit per minute does not bound costs. */
export const dayMs = 86_400_000;
/** Average size of a stored row in bytes; it gives the daily rows of an address. */
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
  readonly turns: ReturnableAllowance;
  /** Bytes and rows that are stored, in a day. */
  readonly stored: StoredAllowances;
}

/** Settings of the allowances. */
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
