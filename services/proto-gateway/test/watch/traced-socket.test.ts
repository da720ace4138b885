import { startTraceCollector } from '@mlango/test-services/trace-collector';
import { WebSocket } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { configuredApp } from '../support/configured-app.js';
import { socketEvent } from '../support/watching-socket.js';

it('the span of a socket is that of its handshake', async () => {
  const collector = await startTraceCollector();
  onTestFinished(() => void collector.close());
  const env = { GRPC_TARGETS: '127.0.0.1:1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const app = await configuredApp(env);
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = new WebSocket(`${base.replace('http', 'ws')}/proto/watch`);
  await socketEvent(socket, 'open');
  await Promise.all([socketEvent(socket, 'close'), app.close()]);
  expect(collector.spans()).toMatchObject([
    { name: 'GET /proto/watch', kind: 2, facts: { 'http.response.status_code': 101 } },
  ]);
});
