import type { AggregatorRules } from './adapter.js';
import type { KnownCodes } from './dialled.js';

/** A gateway with exactly these service codes in its settings; any code if none is given. */
export function knownCodes(...named: readonly string[]): KnownCodes {
  return {
    isListed: (code) => named.includes(code),
    acceptsUnlisted: () => named.length === 0,
    mayBeMissing: named.length === 0,
  };
}

export const aggregatorRules: AggregatorRules = {
  serviceCodeLevels: 2,
  codes: knownCodes(),
  codeOfService: (serviceId) => serviceId,
  nameSession: (...parts) => parts.join(' '),
};
