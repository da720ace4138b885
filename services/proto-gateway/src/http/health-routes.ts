import { type NodeReport, printRange } from '@mlango/grpc-channel';
import { gatewayLiveness } from '@mlango/schemas/proto-gateway';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { type OperatorAccess, operatorOnly } from '@mlango/service-kit/operator-access';
import { z } from 'zod';
import { NODES_PATH } from './require-access.js';
import { printTime } from './watch/blocks.js';

const nodePage = z.object({
  nodes: z.array(
    z.object({
      node: z.string().describe('`host:port`'),
      state: z.enum(['live', 'away', 'failing', 'silent']),
      heights: z.string().describe('Its heights, from GRPC_TARGETS.'),
      height: z.int().nullable().describe('Its newest known block.'),
      lag_blocks: z.int().nullable().describe('Its lag behind the newest block of all nodes.'),
      block_time: z.iso.datetime().nullable().describe('Time of the block of its last probe.'),
      latency_ms: z.number().nullable().describe('Duration of the last successful probe.'),
      failures: z.int().describe('Failures in a row.'),
      rests: z.int().describe('Pauses since its last answered call.'),
      calls_running: z.int(),
    }),
  ),
});
type NodePage = z.output<typeof nodePage>;

/** `GET /metrics/nodes`: the state of each node, for operators. */
export function nodesRoute(app: HttpApp, nodes: () => readonly NodeReport[], access: OperatorAccess): void {
  app.get(
    NODES_PATH,
    { config: { probe: true }, onRequest: operatorOnly(access), schema: { hide: true, response: { 200: nodePage } } },
    async (): Promise<NodePage> => {
      const reports = nodes();
      const newest = Math.max(...reports.map(({ position }) => position ?? 0));
      return { nodes: reports.map((report) => describeNode(report, newest)) };
    },
  );
}

function describeNode(report: NodeReport, newest: number): NodePage['nodes'][number] {
  const { target: node, state, range, position: height, lastProbe, failures, pauses: rests, running } = report;
  const madeAtMs = lastProbe?.madeAtMs ?? null;
  return {
    node,
    state,
    heights: printRange(range),
    height: height ?? null,
    lag_blocks: height === undefined ? null : newest - height,
    block_time: madeAtMs === null ? null : printTime(madeAtMs / 1000),
    latency_ms: lastProbe === undefined ? null : Math.round(lastProbe.latencyMs * 10) / 10,
    failures,
    rests,
    calls_running: running,
  };
}

/** `GET /health`: the process runs. It does not check nodes; `/health/ready` does. */
export function livenessRoute(app: HttpApp): void {
  app.get('/health', { config: { probe: true }, schema: { hide: true, response: { 200: gatewayLiveness } } }, () => ({
    status: 'ok' as const,
  }));
}
