import { BinaryReader } from '@bufbuild/protobuf/wire';
import { NodeFailure } from '@mlango/grpc-channel';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import type { ChainNode } from './chain-node.js';

const HEALTH_CHECK = '/grpc.health.v1.Health/Check';
const SERVING = 1;

/**
 * Resolves when the node can be reached and, if it serves grpc.health.v1, says that it serves; rejects otherwise.
 * A node without that service has still answered, which is enough.
 */
export async function checkNode(node: ChainNode, timeoutMs: number): Promise<void> {
  try {
    const signal = new AbortController().signal;
    const reply = await node.call({ path: HEALTH_CHECK, request: new Uint8Array(), metadata: [], timeoutMs, signal });
    const status = readStatus(reply.message);
    if (status !== SERVING) throw new Error(`the chain node answers but does not serve (status ${status})`);
  } catch (error) {
    if (error instanceof NodeFailure && error.code === GRPC_CODES.unimplemented) return;
    throw error;
  }
}

/** Field 1 of HealthCheckResponse. */
function readStatus(bytes: Uint8Array): number {
  const reader = new BinaryReader(bytes);
  let status = 0;
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === 1) status = reader.int32();
    else reader.skip(wireType, field);
  }
  return status;
}
