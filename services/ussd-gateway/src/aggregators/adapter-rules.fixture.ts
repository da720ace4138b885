import type { AggregatorRules } from './adapter.js';
import type { KnownCodes } from './dialled.js';

/** A gateway whose settings name these service codes and that serves no other; any code where none is named. */
export function knownCodes(...named: readonly string[]): KnownCodes {
  return {
    names: (code) => named.includes(code),
    takesUnnamed: () => named.length === 0,
    mayBeMissing: named.length === 0,
  };
}

export const aggregatorRules: AggregatorRules = {
  serviceCodeLevels: 2,
  codes: knownCodes(),
  codeOfService: (serviceId) => serviceId,
  nameSession: (...parts) => parts.join(' '),
};
