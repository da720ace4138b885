import { mostPerAddress } from '@mlango/service-kit/env';
import { type Allowance, allowance, type RateLimitStore } from '@mlango/service-kit/rate-limit';
import { rateWindowMs } from './limits.js';

/** What all callers of one address may have together: anybody can be as many users as he likes. Holders are `addressKey`s. */
export interface AddressAllowances {
  /** Requests by which a user is known, and handshakes of sockets; taken before a token is looked at. */
  readonly requests: Allowance;
  /** Keys that have to be looked up. */
  readonly lookUps: Allowance;
}

export interface AddressSettings {
  readonly RATE_LIMIT_MAX: number;
  readonly RATE_LIMIT_PER_ADDRESS?: number | undefined;
}

export function addressAllowances(settings: AddressSettings, store: RateLimitStore): AddressAllowances {
  const each = (name: string, max: number) => allowance({ store, name, max, windowMs: rateWindowMs });
  return {
    requests: each('address', mostPerAddress(settings)),
    // Whoever is not known yet may ask as often as one user, and each look-up may be for nothing.
    lookUps: each('look-ups', settings.RATE_LIMIT_MAX),
  };
}
