import { BinaryReader } from '@bufbuild/protobuf/wire';
import { Cancellation } from './cancellation.js';
import type { ChainNode } from './chain-node.js';

/** Source: cosmos.base.tendermint.v1beta1.Service, which nodes of the Cosmos SDK serve. */
const NODE_INFO = '/cosmos.base.tendermint.v1beta1.Service/GetNodeInfo';
/** `default_node_info`, and in it `network`. */
const PATH_TO_NETWORK = [1, 4] as const;
const LENGTH_DELIMITED = 2;

/** The id of the chain a node belongs to; `undefined` where it does not say. Never rejects. */
export async function readChainId(node: ChainNode, timeoutMs: number): Promise<string | undefined> {
  try {
    const call = { path: NODE_INFO, request: new Uint8Array(), metadata: [], timeoutMs, signal: new Cancellation() };
    let bytes: Uint8Array | undefined = (await node.call(call)).message;
    for (const field of PATH_TO_NETWORK) bytes = bytes && bytesOfField(bytes, field);
    return bytes === undefined || bytes.length === 0 ? undefined : Buffer.from(bytes).toString('utf8');
  } catch {
    return undefined;
  }
}

function bytesOfField(message: Uint8Array, wanted: number): Uint8Array | undefined {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === wanted && wireType === LENGTH_DELIMITED) return reader.bytes();
    reader.skip(wireType, field);
  }
  return undefined;
}
