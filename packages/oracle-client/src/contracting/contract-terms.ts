import { recordOf } from '../requests/record-of.js';

/** What an oracle wants to be let do, by the resource `#orz` of its entity. */
export interface ContractTerms {
  /** The account that acts for the oracle. */
  readonly granteeAddress: string;
  readonly oracleName: string;
  /** Types of messages, such as `/cosmos.bank.v1beta1.MsgSend`. */
  readonly requiredPermissions: readonly string[];
}

/** Undefined for a resource that names no account. */
export function termsOf(resource: unknown): ContractTerms | undefined {
  const { granteeAddress, oracleName, requiredPermissions } = recordOf(resource);
  if (typeof granteeAddress !== 'string' || granteeAddress === '') return undefined;
  const permissions = Array.isArray(requiredPermissions) ? requiredPermissions : [];
  return {
    granteeAddress,
    oracleName: typeof oracleName === 'string' ? oracleName : '',
    requiredPermissions: permissions.filter((permission): permission is string => typeof permission === 'string'),
  };
}
