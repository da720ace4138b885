import { BinaryReader } from '@bufbuild/protobuf/wire';
import { findHeight } from '@mlango/cosmos-rest/heights';
import { NodeFailure } from '@mlango/grpc-channel';
import { Readiness } from '@mlango/service-kit/health';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import type { ChainNode } from './chain-node.js';

/** Source: cosmos.base.node.v1beta1.Service, which nodes of the Cosmos SDK serve. */
const STATUS = '/cosmos.base.node.v1beta1.Service/Status';
const HEIGHT_FIELD = 2;
const TIMESTAMP_FIELD = 3;
/** Of google.protobuf.Timestamp. */
const SECONDS_FIELD = 1;
const VARINT = 0;
const LENGTH_DELIMITED = 2;

export interface NodeState {
  readonly reachable: boolean;
  /** The last block the node reports, in digits; `null` when it says nothing of it. */
  readonly height: string | null;
  /** When that block was made, in seconds since 1970; `null` when the node does not say. */
  readonly blockSeconds: number | null;
}

const AWAY: ReadonlySet<number> = new Set([GRPC_CODES.unavailable, GRPC_CODES.deadlineExceeded]);

/** Asks a node how it stands. Never rejects. */
export async function readNodeState(node: ChainNode, timeoutMs: number): Promise<NodeState> {
  const signal = new AbortController().signal;
  try {
    const reply = await node.call({ path: STATUS, request: new Uint8Array(), metadata: [], timeoutMs, signal });
    const { height, blockSeconds } = readStatus(reply.message);
    return { reachable: true, height: height ?? findHeight(reply.headers) ?? null, blockSeconds: blockSeconds ?? null };
  } catch (failure) {
    // What answered without gRPC, such as a proxy, is no node.
    const isUnavailable = !(failure instanceof NodeFailure) || failure.fromTransport || AWAY.has(failure.code);
    const height = failure instanceof NodeFailure ? findHeight(failure.metadata) : undefined;
    return { reachable: !isUnavailable, height: height ?? null, blockSeconds: null };
  }
}

/**
 * What readiness shows of a node. How old a block may be is for people and alarms to say: a chain that stands still is
 * no reason to take the gateway away. Never negative, since the clocks of two machines differ.
 */
async function readNodeFacts(
  node: ChainNode,
  { timeoutMs, epochMs }: { timeoutMs: number; epochMs: () => number },
): Promise<{ height?: string; secondsSinceLastBlock?: number }> {
  const { height, blockSeconds } = await readNodeState(node, timeoutMs);
  const age = blockSeconds === null ? undefined : Math.max(0, Math.round(epochMs() / 1000 - blockSeconds));
  return {
    ...(height === null ? {} : { height }),
    ...(age === undefined ? {} : { secondsSinceLastBlock: age }),
  };
}

function readStatus(bytes: Uint8Array): { height?: string; blockSeconds?: number } {
  const reader = new BinaryReader(bytes);
  const status: { height?: string; blockSeconds?: number } = {};
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === HEIGHT_FIELD && wireType === VARINT) status.height = String(reader.uint64());
    else if (field === TIMESTAMP_FIELD && wireType === LENGTH_DELIMITED)
      status.blockSeconds = readSeconds(reader.bytes());
    else reader.skip(wireType, field);
  }
  return status;
}

function readSeconds(timestamp: Uint8Array): number {
  const reader = new BinaryReader(timestamp);
  let seconds = 0;
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === SECONDS_FIELD && wireType === VARINT) seconds = Number(reader.int64());
    else reader.skip(wireType, field);
  }
  return seconds;
}

const HEALTH_CHECK = '/grpc.health.v1.Health/Check';
const SERVING = 1;

/**
 * Resolves when the node can be reached and, if it serves grpc.health.v1, says that it serves; rejects otherwise.
 * A node without that service has still answered, which is enough.
 */
async function checkNode(node: ChainNode, timeoutMs: number): Promise<void> {
  try {
    const signal = new AbortController().signal;
    const reply = await node.call({ path: HEALTH_CHECK, request: new Uint8Array(), metadata: [], timeoutMs, signal });
    const status = readServingStatus(reply.message);
    if (status !== SERVING) throw new Error(`the chain node answers but does not serve (status ${status})`);
  } catch (error) {
    if (error instanceof NodeFailure && error.code === GRPC_CODES.unimplemented) return;
    throw error;
  }
}

/** Field 1 of HealthCheckResponse. */
function readServingStatus(bytes: Uint8Array): number {
  const reader = new BinaryReader(bytes);
  let status = 0;
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === 1) status = reader.int32();
    else reader.skip(wireType, field);
  }
  return status;
}

/**
 * Readiness of a gateway: its node serves, and whatever else is to be checked. The report also shows the node's height and
 * the age of its last block.
 */
export function nodeReadiness(
  node: ChainNode,
  timeoutMs: number,
  others: Readonly<Record<string, () => Promise<void>>> = {},
): Readiness {
  return new Readiness(
    { node: () => checkNode(node, timeoutMs), ...others },
    { facts: { node: () => readNodeFacts(node, { timeoutMs, epochMs: Date.now }) } },
  );
}
