import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { startMockNode } from '@mlango/mock-node/server';
import { createLogger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { openNode } from '../../src/deps/open-node.js';
import { sharedPools } from '../../src/deps.js';
import { callTo } from '../../src/nodes/chain-node.contract.js';
import { gatewayOnNode } from '../support/gateway-on-node.js';

const { withApp } = gatewayOnNode();
const PARAMS = '/proto/token/params';

describe('the metrics', () => {
  it('count cached, shared and called queries', () =>
    withApp({ cache: { ttlMs: 60_000, limitBytes: 1_000_000 } }, async (app) => {
      await Promise.all([app.inject(`${PARAMS}?height=5`), app.inject(`${PARAMS}?height=5`)]);
      await app.inject(`${PARAMS}?height=5`);
      const text = (await app.inject('/metrics')).body;
      expect(text).toMatch(/^proto_gateway_cache_lookups_total\{result="hit"[^}]*\} 1$/m);
      expect(text).toMatch(/^proto_gateway_cache_lookups_total\{result="miss"[^}]*\} 2$/m);
      expect(text).toMatch(/^proto_gateway_shared_queries_total\{[^}]*\} 1$/m);
    }));

  it('count the answers of a batch by rpc and code', () =>
    withApp({}, async (app) => {
      const paths = [
        PARAMS,
        PARAMS,
        '/proto/claims/claim/nope',
        '/proto/claims/claims?pagination.limit=many',
        '/nowhere',
      ];
      await app.inject({ method: 'POST', url: '/proto/batch', payload: { paths, height: '14990000' } });
      const text = (await app.inject('/metrics')).body;
      const counted = [...text.matchAll(/^proto_gateway_answers_total\{rpc="([^"]*)",code="(\d+)"[^}]*\} (\d+)$/gm)];
      expect(counted.map(([, ...labels]) => labels.join(' ')).sort()).toEqual([
        'ixo.claims.v1beta1.Query/Claim 5 1',
        'ixo.claims.v1beta1.Query/ClaimList 3 1',
        'ixo.token.v1beta1.Query/Params 0 2',
        'none 5 1',
      ]);
    }));

  it('show an unreachable node and the retries at another one', async () => {
    const node = await startMockNode({ drainMs: 0 });
    const stranger = createServer().listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const unavailable = `127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    await new Promise((resolve) => stranger.close(resolve));
    const metrics = createMetrics({ service: 'test', version: '0.0.0' });
    const config = readConfig({ GRPC_TARGETS: `${unavailable},${node.address}` });
    const nodes = openNode(config.nodes, metrics, createLogger({ service: 'test', level: 'silent' }), {
      calls: sharedPools(config).nodeCalls,
    });
    try {
      await nodes.call(callTo('Echo', { path: '/ixo.token.v1beta1.Query/Params', request: new Uint8Array() }));
      const text = await metrics.registry.metrics();
      expect(text).toMatch(new RegExp(`^proto_gateway_node_away\\{node="${unavailable}"[^}]*\\} 1$`, 'm'));
      expect(text).toMatch(new RegExp(`^proto_gateway_node_away\\{node="${node.address}"[^}]*\\} 0$`, 'm'));
      // None if the node was known to be unavailable before the call.
      expect(text).toMatch(/^proto_gateway_node_retries_total\{[^}]*\} [01]$/m);
      expect(text).toMatch(/^proto_gateway_node_calls_running\{[^}]*\} 0$/m);
    } finally {
      nodes.close();
      await node.close();
    }
  });
});
