import type { Channel } from '../channel.js';
import { GRPC_CODES } from '../grpc-code.js';
import { NodeFailure } from '../node-failure.js';
import type { NodeReport, ProbeResult } from './node-report.js';

/** Probes a node. Rejects if it is not usable. */
export type Probe = (node: Channel, timeoutMs: number, known: NodeReport) => Promise<ProbeResult>;

const HEALTH_CHECK = '/grpc.health.v1.Health/Check';
/** An encoded HealthCheckResponse with SERVING. */
const SERVING = Buffer.from([8, 1]);

/** A node with grpc.health.v1 must report SERVING; a node without it is healthy if it responds. */
export const healthProbe: Probe = async (node, timeoutMs) => {
  try {
    const { message } = await node.unary(HEALTH_CHECK, new Uint8Array(), { timeoutMs });
    if (!SERVING.equals(message)) throw new Error('the node answers, but does not serve');
  } catch (failure) {
    const hasNoHealthService = failure instanceof NodeFailure && failure.code === GRPC_CODES.unimplemented;
    if (!hasNoHealthService) throw failure;
  }
  return {};
};
