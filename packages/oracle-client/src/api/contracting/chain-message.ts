/** A message for a transaction, as wallets of Cosmos chains take it: the value is encoded by the wallet's registry. */
export interface ChainMessage {
  readonly typeUrl: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export interface Coin {
  /** Such as `uixo`. */
  readonly denom: string;
  /** In whole units of the denomination, as text. */
  readonly amount: string;
}

/** A permission of one account for another. */
export interface Grant {
  readonly granter: string;
  readonly grantee: string;
  readonly expiresAt: Date;
}

/** Permits the grantee to move up to a limit from the granter's account, to accounts of a list only. */
export function grantSending(grant: Grant, limit: readonly Coin[], allowList: readonly string[]): ChainMessage {
  const authorization = protobufMessage([
    ...limit.map((coin) => [1, coinBytes(coin)] as const),
    ...allowList.map((address) => [2, address] as const),
  ]);
  return grantMessage(grant, '/cosmos.bank.v1beta1.SendAuthorization', authorization);
}

/** Permits the grantee to send any message of a type in the granter's name, without a limit. */
export function grantAnything(grant: Grant, msgTypeUrl: string): ChainMessage {
  return grantMessage(grant, '/cosmos.authz.v1beta1.GenericAuthorization', protobufMessage([[1, msgTypeUrl]]));
}

function grantMessage({ granter, grantee, expiresAt }: Grant, typeUrl: string, value: Uint8Array): ChainMessage {
  return {
    typeUrl: '/cosmos.authz.v1beta1.MsgGrant',
    value: {
      granter,
      grantee,
      grant: {
        authorization: { typeUrl, value },
        // Registries with bigint and registries with Long both accept a number.
        expiration: { seconds: Math.floor(expiresAt.getTime() / 1_000), nanos: 0 },
      },
    },
  };
}

export function sendCoins(fromAddress: string, toAddress: string, amount: readonly Coin[]): ChainMessage {
  return { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: { fromAddress, toAddress, amount: [...amount] } };
}

export interface ClaimToPay {
  readonly claimId: string;
  readonly collectionId: string;
  /** Account of the entity that the collection belongs to. */
  readonly adminAddress: string;
  /** Account that pays. */
  readonly payerAddress: string;
  readonly payerDid: string;
  /** Content id of a credential of the evaluation, if there is one. */
  readonly verificationProof?: string | undefined;
}

const approved = 1;

/** Approves a claim as the collection's admin; the chain then pays the amount of the collection. */
export function approveClaim(claim: ClaimToPay): ChainMessage {
  const { claimId, collectionId, adminAddress, payerAddress, payerDid, verificationProof = '' } = claim;
  const value = protobufMessage([
    [1, claimId],
    [2, collectionId],
    [3, payerDid],
    [4, payerDid],
    [5, payerAddress],
    [6, adminAddress],
    [7, approved],
    [8, 1],
    [9, verificationProof],
  ]);
  return {
    typeUrl: '/cosmos.authz.v1beta1.MsgExec',
    value: { grantee: payerAddress, msgs: [{ typeUrl: '/ixo.claims.v1beta1.MsgEvaluateClaim', value }] },
  };
}

function coinBytes({ denom, amount }: Coin): Uint8Array {
  return protobufMessage([
    [1, denom],
    [2, amount],
  ]);
}

/** A field of a message: its number, and a text, a whole number from 0 on, or a message or bytes that are encoded already. */
export type ProtobufField = readonly [number: number, value: string | number | Uint8Array];

const utf8 = new TextEncoder();

/**
 * A protobuf message of a few fields, in this order. Empty values and 0 are omitted, as in proto3, except messages, which
 * may be present and empty.
 */
function protobufMessage(fields: readonly ProtobufField[]): Uint8Array {
  const bytes: number[] = [];
  for (const [number, value] of fields) {
    if (value === '' || value === 0) continue;
    if (typeof value === 'number') {
      bytes.push(...varint(number * 8), ...varint(value));
    } else {
      const content = typeof value === 'string' ? utf8.encode(value) : value;
      bytes.push(...varint(number * 8 + 2), ...varint(content.length), ...content);
    }
  }
  return Uint8Array.from(bytes);
}

function varint(value: number): number[] {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no whole number from 0 on`);
  const bytes = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}
