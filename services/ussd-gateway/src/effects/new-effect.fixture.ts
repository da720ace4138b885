import type { NewEffect } from './effect.js';

export const leaseMs = 10_000;
export const rules = { leaseMs, unshownMs: 60_000, session: undefined };
export const outcome = { result: 'paid', facts: { reference: 'R-1' } };
let serial = 0;

/** A payment of a new subscriber. */
export function newEffect(change: Partial<NewEffect> = {}): NewEffect {
  serial += 1;
  return {
    key: `key-${serial}`,
    subscriber: {
      aggregator: 'canonical',
      phoneNumber: `+26097${String(serial).padStart(7, '0')}`,
      serviceCode: '*384#',
    },
    effect: `pay-${serial}`,
    place: {
      flow: { id: 'default', version: 2 },
      nonce: 'n',
      position: { state: 'amount', language: 'en', choices: {}, page: 0, entries: { amount: '250' } },
      by: 'entry',
    },
    sealedInput: `sealed-${serial}`,
    inputDigest: `digest-${serial}`,
    ...change,
  };
}
