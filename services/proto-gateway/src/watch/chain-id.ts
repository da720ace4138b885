import { BinaryReader } from '@bufbuild/protobuf/wire';
import { Cancellation } from '../nodes/cancellation.js';
import type { ChainNode } from '../nodes/chain-node.js';
import type { BlockFeed } from './block-feed.js';

/** Source: cosmos.base.tendermint.v1beta1.Service, which nodes of the Cosmos SDK serve. */
const NODE_INFO = '/cosmos.base.tendermint.v1beta1.Service/GetNodeInfo';
/** `default_node_info`, and in it `network`. */
const PATH_TO_NETWORK = [1, 4] as const;
const LENGTH_DELIMITED = 2;

/** The chain id of a node; `undefined` if the node does not report it. Never rejects. */
async function readChainId(node: ChainNode, timeoutMs: number): Promise<string | undefined> {
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

const TIMEOUT_MS = 900;

/** Tracks the chain id. It is read again after an outage or a lower height, since the addresses may belong to other nodes. */
export function followChainId(node: ChainNode, blocks: BlockFeed): () => string | undefined {
  let id: string | undefined;
  let isClaimed = false;
  let height = 0;
  const read = async (): Promise<void> => {
    if (isClaimed) return;
    isClaimed = true;
    id = (await readChainId(node, TIMEOUT_MS)) ?? id;
    isClaimed = false;
  };
  if (!blocks.isUnavailable) void read();
  blocks.onAvailability.add((isUnavailable) => {
    if (!isUnavailable) void read();
  });
  blocks.onBlock.add((block) => {
    if (id === undefined || block.height < height) void read();
    height = block.height;
  });
  return () => id;
}
