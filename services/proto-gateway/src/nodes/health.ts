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
  /** The latest block of the node, in digits; `null` if unknown. */
  readonly height: string | null;
  /** The time of that block in seconds since 1970; `null` if unknown. */
  readonly blockSeconds: number | null;
}

const UNAVAILABLE: ReadonlySet<number> = new Set([GRPC_CODES.unavailable, GRPC_CODES.deadlineExceeded]);

/** Reads the state of a node. Never rejects. */
export async function readNodeState(node: ChainNode, timeoutMs: number): Promise<NodeState> {
  const signal = new AbortController().signal;
  try {
    const reply = await node.call({ path: STATUS, request: new Uint8Array(), metadata: [], timeoutMs, signal });
    const { height, blockSeconds } = readStatus(reply.message);
    return { reachable: true, height: height ?? findHeight(reply.headers) ?? null, blockSeconds: blockSeconds ?? null };
  } catch (failure) {
    // A responder without gRPC, such as a proxy, is no node.
    const isUnavailable = !(failure instanceof NodeFailure) || failure.fromTransport || UNAVAILABLE.has(failure.code);
    const height = failure instanceof NodeFailure ? findHeight(failure.metadata) : undefined;
    return { reachable: !isUnavailable, height: height ?? null, blockSeconds: null };
  }
}

/**
 * The node's facts in the readiness report. The age of the block does not affect readiness: a halted chain is no reason to stop
 * the gateway. Never negative, since clocks differ.
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
 * Resolves if the node is reachable and, with grpc.health.v1, serves; rejects otherwise. A node without that service is ready
 * if it responds.
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
 * Readiness of the gateway: the node serves, and other checks pass. The report includes the node's height and the age of its
 * last block.
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
