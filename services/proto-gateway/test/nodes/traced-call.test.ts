import { createChannel, GRPC_CODES } from '@mlango/grpc-channel';
import { createLogger } from '@mlango/service-kit/logging';
import { startTracing } from '@mlango/service-kit/tracing';
import { startRawNode } from '@mlango/test-services/raw-node';
import { startTraceCollector } from '@mlango/test-services/trace-collector';
import { expect, it, onTestFinished } from 'vitest';

it('a call to a node is a span that is propagated and has the code of its failure', async () => {
  const [collector, node] = await Promise.all([startTraceCollector(), startRawNode()]);
  const channel = createChannel({ targets: [node.address] });
  onTestFinished(async () => {
    channel.close();
    await node.close();
    collector.close();
  });
  const tracing = await startTracing({
    service: 'traced',
    version: '1.0.0',
    logger: createLogger({ service: 'traced', level: 'silent' }),
    config: {
      NODE_ENV: 'test',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_RESOURCE_ATTRIBUTES: {},
      OTEL_TRACES_SAMPLER_ARG: 1,
    },
  });
  const ofCaller = { metadata: [['traceparent', `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`]] as const };
  const { headers } = await tracing.spans.within('work', {}, async () => {
    await channel.unary('/test.Raw/Fail', new Uint8Array()).catch(() => {});
    return channel.unary('/test.Raw/Echo', Uint8Array.of(1), ofCaller);
  });
  await tracing.shutdown();
  const [failed, echoed, work] = collector.spans();
  const [address, port] = node.address.split(':');
  expect(echoed).toMatchObject({ name: 'test.Raw/Echo', kind: 3, parentSpanId: work?.spanId, status: { code: 0 } });
  expect(echoed?.facts).toEqual({
    'rpc.system.name': 'grpc',
    'rpc.method': 'test.Raw/Echo',
    'server.address': address,
    'server.port': Number(port),
  });
  expect(failed).toMatchObject({
    name: 'test.Raw/Fail',
    status: { code: 2 },
    facts: { 'error.type': String(GRPC_CODES.failedPrecondition) },
  });
  expect(headers).toContainEqual(['got-traceparent', `00-${echoed?.traceId}-${echoed?.spanId}-01`]);
});
