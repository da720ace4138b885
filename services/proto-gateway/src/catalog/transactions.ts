/** What a gateway may be told to let through of transactions, by the rpcs that it means. */
const TRANSACTIONS = {
  simulate: ['cosmos.tx.v1beta1.Service/Simulate'],
  broadcast: ['cosmos.tx.v1beta1.Service/BroadcastTx'],
} as const;

export type TxKind = keyof typeof TRANSACTIONS;

export const TX_KINDS: readonly TxKind[] = ['simulate', 'broadcast'];

const KIND_OF = new Map(TX_KINDS.flatMap((kind) => TRANSACTIONS[kind].map((name): [string, TxKind] => [name, kind])));

/** What an rpc does with a transaction; `undefined` for one that only reads. Such calls are made once, and for one caller. */
export function txKindOf(rpcName: string): TxKind | undefined {
  return KIND_OF.get(rpcName);
}
