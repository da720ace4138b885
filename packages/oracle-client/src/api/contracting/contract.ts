import { recordOf } from '../requests/values.js';
import { type ChainMessage, type Coin, type Grant, grantAnything, grantSending, sendCoins } from './chain-message.js';

/** The permissions that an oracle requests, by the resource `#orz` of its entity. */
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

export interface ContractToMake extends Grant {
  /** Maximum amount that the oracle may take. */
  readonly spendLimit: readonly Coin[];
  /** Permissions that the oracle requires. */
  readonly requiredPermissions: readonly string[];
  /** Permissions beyond payments that the user grants. */
  readonly allowedPermissions: readonly string[];
  /** Paid at once. */
  readonly fee: readonly Coin[];
}

const sendTypes = new Set(['/cosmos.bank.v1beta1.MsgSend', '/cosmos.bank.v1beta1.MsgMultiSend']);

/**
 * The messages that contract an oracle: a grant to take payments, up to a limit and to its own account only; grants of the other
 * permissions that it requests and the user accepts; and a fee.
 * @throws {Error} naming the required permissions that are not granted.
 */
export function contractMessages(contract: ContractToMake): ChainMessage[] {
  const { spendLimit, requiredPermissions, allowedPermissions, fee, granter, grantee } = contract;
  const others = [...new Set(requiredPermissions)].filter((permission) => !sendTypes.has(permission));
  const refused = others.filter((permission) => !allowedPermissions.includes(permission));
  if (refused.length > 0) {
    throw new Error(`The oracle requires more than \`permissions\` allow: ${refused.join(', ')}`);
  }
  return [
    ...(spendLimit.length === 0 ? [] : [grantSending(contract, spendLimit, [grantee])]),
    ...others.map((permission) => grantAnything(contract, permission)),
    ...(fee.length === 0 ? [] : [sendCoins(granter, grantee, fee)]),
  ];
}
