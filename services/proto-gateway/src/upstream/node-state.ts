import { BinaryReader } from '@bufbuild/protobuf/wire';
import { GRPC_CODES } from '../transcoding/grpc-status.js';
import { findHeight } from '../transcoding/metadata.js';
import { type ChainNode, NodeFailure } from './chain-node.js';

/** Source: cosmos.base.node.v1beta1.Service, which nodes of the Cosmos SDK serve. */
const STATUS = '/cosmos.base.node.v1beta1.Service/Status';
const HEIGHT_FIELD = 2;

export interface NodeState {
  readonly reachable: boolean;
  /** The last block the node reports, in digits; `null` when it says nothing of it. */
  readonly height: string | null;
}

const AWAY: ReadonlySet<number> = new Set([GRPC_CODES.unavailable, GRPC_CODES.deadlineExceeded]);

/** Asks a node how it stands. Never rejects. */
export async function readNodeState(node: ChainNode, timeoutMs: number): Promise<NodeState> {
  const signal = new AbortController().signal;
  try {
    const reply = await node.call({ path: STATUS, request: new Uint8Array(), metadata: [], timeoutMs, signal });
    return { reachable: true, height: readHeight(reply.message) ?? findHeight(reply.headers) ?? null };
  } catch (failure) {
    if (!(failure instanceof NodeFailure)) return { reachable: false, height: null };
    return { reachable: !AWAY.has(failure.code), height: findHeight(failure.metadata) ?? null };
  }
}

function readHeight(bytes: Uint8Array): string | undefined {
  const reader = new BinaryReader(bytes);
  let height: string | undefined;
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === HEIGHT_FIELD && wireType === 0) height = String(reader.uint64());
    else reader.skip(wireType, field);
  }
  return height;
}
