import type { Channel } from './channel.js';
import { GRPC_CODES } from './grpc-code.js';
import { NodeFailure } from './node-failure.js';
import type { NodeReport, Sighting } from './pool/node-report.js';

/** Looks at a node, of which something is known. Rejects when it does not answer as one that can be asked. */
export type Probe = (node: Channel, timeoutMs: number, known: NodeReport) => Promise<Sighting>;

const HEALTH_CHECK = '/grpc.health.v1.Health/Check';
/** A HealthCheckResponse that says SERVING. */
const SERVING = Buffer.from([8, 1]);

/** A node that serves grpc.health.v1 has to say that it serves; one without it has still answered, which is enough. */
export const healthProbe: Probe = async (node, timeoutMs) => {
  try {
    const { message } = await node.unary(HEALTH_CHECK, new Uint8Array(), { timeoutMs });
    if (!SERVING.equals(message)) throw new Error('the node answers and does not serve');
  } catch (failure) {
    const isServedByNobody = failure instanceof NodeFailure && failure.code === GRPC_CODES.unimplemented;
    if (!isServedByNobody) throw failure;
  }
  return {};
};
