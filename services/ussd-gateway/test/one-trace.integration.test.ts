import { fileURLToPath } from 'node:url';
import {
  endPrograms,
  type ListeningProgram,
  listensAtUrl,
  startBuilt,
  startNodeProgram,
  startProgram,
} from '@mlango/test-services/program';
import { freshDatabase, postgresUrl } from '@mlango/test-services/real-postgres';
import { freshRedis, redisUrl } from '@mlango/test-services/real-redis';
import { startTraceCollector } from '@mlango/test-services/trace-collector';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FlowsCopy, readGuide } from './support/follow-guide.js';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const traceId = '0af7651916cd43dd8448eb211c80319c';
const phoneNumber = '+254711000001';

describe.skipIf(redisUrl === undefined || postgresUrl === undefined)('a dial that queries the chain', () => {
  let collector: Awaited<ReturnType<typeof startTraceCollector>>;
  let stores: readonly { readonly url: string; readonly drop: () => Promise<unknown> }[];
  let flows: FlowsCopy;
  let base: string;
  let services: readonly ListeningProgram[];

  beforeAll(async () => {
    collector = await startTraceCollector();
    stores = await Promise.all([freshRedis(), freshDatabase()]);
    flows = new FlowsCopy();
    for (const step of readGuide('add-a-menu.md')) if (!step.file.includes('transcripts/')) flows.follow(step);
    const traced = { PORT: '0', DRAIN_DELAY_MS: '0', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const node = await startNodeProgram();
    const chain = { ...traced, GRPC_TARGETS: node.address };
    const gateway = await startBuilt('services/proto-gateway/dist/main.js', chain);
    const [REDIS_URL = '', DATABASE_URL = ''] = stores.map(({ url }) => url);
    const addresses = { PROTO_GATEWAY_URL: gateway.address, FLOWS_DIR: flows.folder, REDIS_URL, DATABASE_URL };
    const ussd = await startProgram([main], { env: { ...traced, ...addresses }, listens: listensAtUrl });
    base = ussd.address;
    services = [ussd, gateway];
  }, 120_000);
  afterAll(async () => {
    await endPrograms();
    await Promise.all(stores.map(({ drop }) => drop()));
    flows.remove();
    collector.close();
  });

  it('is one trace over two services, with a span for each queried store and node, and in both logs', async () => {
    const hop = async (text: string, headers = {}) => {
      const body = JSON.stringify({ sessionId: 'traced', serviceCode: '*2002#', phoneNumber, text });
      const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
      return (await fetch(`${base}/api/ussd`, request)).text();
    };
    await hop('');
    await hop('1*4');
    expect(await hop('1*4*e0001', { traceparent: `00-${traceId}-b7ad6b7169203331-01` })).toContain('Type: oracle');

    // Before they end they send their pending spans.
    expect(await Promise.all(services.map((service) => service.end('SIGTERM')))).toEqual([0, 0]);
    const spans = collector.spans().filter((span) => span.traceId === traceId);
    const named = (start: string) => spans.filter(({ name }) => name.startsWith(start));
    const [dialled, ...others] = named('POST /api/ussd');
    expect(others).toEqual([]);
    expect(dialled).toMatchObject({ kind: 2, parentSpanId: 'b7ad6b7169203331' });
    const [call, ...furtherCalls] = spans.filter(({ name, kind }) => name === 'GET' && kind === 3);
    const [request, ...furtherRequests] = named('GET /');
    const [query, ...furtherQueries] = named('ixo.entity.v1beta1.Query/');
    expect([...furtherCalls, ...furtherRequests, ...furtherQueries]).toEqual([]);
    expect(call?.parentSpanId).toBe(dialled?.spanId);
    expect(request).toMatchObject({
      kind: 2,
      parentSpanId: call?.spanId,
      resource: { 'service.name': 'proto-gateway' },
    });
    expect(request?.name).toBe(`GET ${String(request?.facts['http.route'])}`);
    expect(query).toMatchObject({ kind: 3, parentSpanId: request?.spanId });
    const stored = spans.filter(({ facts }) => 'db.system.name' in facts);
    expect(new Set(stored.map(({ facts }) => facts['db.system.name']))).toContain('redis');
    for (const { kind, parentSpanId } of stored) expect([kind, parentSpanId]).toEqual([3, dialled?.spanId]);
    expect(spans).toHaveLength(4 + stored.length);

    const lines = services
      .map((service) => service.output())
      .join('\n')
      .split('\n')
      .filter((line) => line.includes(traceId));
    expect(new Set(lines.map((line) => JSON.parse(line).service))).toEqual(new Set(['ussd-gateway', 'proto-gateway']));
    expect(collector.received.join()).not.toContain(phoneNumber.slice(1));
    expect(collector.received.join()).not.toContain('e0001');
  }, 60_000);
});
