import { startTraceCollector } from '@mlango/test-services/trace-collector';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Readiness } from './health.js';
import { createHttpApp, type HttpApp } from './http-app.js';
import { createLogger } from './logging.js';
import { createMetrics } from './metrics.js';
import { startTracing, type Tracing } from './tracing.js';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function startCollector() {
  const collector = await startTraceCollector();
  cleanups.push(async () => void collector.close());
  return collector;
}

async function tracedApp({ plugin }: Tracing): Promise<HttpApp> {
  const app = await createHttpApp({
    version: '1.0.0',
    logger: createLogger({ service: 'traced', level: 'silent' }),
    trustProxy: false,
    bodyLimitBytes: 1024,
    readiness: new Readiness({}),
    metrics: createMetrics({ service: 'traced', version: '1.0.0' }),
    metricsAccess: { open: true },
    tracing: plugin,
  });
  cleanups.push(() => app.close());
  return app;
}

describe('tracing', () => {
  it('is off, and adds nothing to the app, without an endpoint', async () => {
    const tracing = await startTracing({ service: 'test', version: '1.0.0' });
    expect(tracing.plugin).toBeUndefined();
    await tracing.shutdown();
  });

  it("continues the caller's trace and sends the route, never the URL", async () => {
    const collector = await startCollector();
    const tracing = await startTracing({ service: 'traced', version: '1.0.0', endpoint: collector.url });
    const app = await tracedApp(tracing);
    app.get('/items/:id', async () => 'ok');
    app.get('/fails', async () => {
      throw new Error('Failed query: select $1\nparams: S3CRET4,+260971230567');
    });
    expect((await app.inject('/fails')).statusCode).toBe(500);
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const reply = await app.inject({
      url: '/items/S3CRET1?secret=S3CRET2',
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01`, authorization: 'Bearer S3CRET3' },
    });
    expect(reply.statusCode).toBe(200);
    await tracing.shutdown();
    await vi.waitFor(() => expect(collector.received.length).toBeGreaterThan(0));
    const sent = collector.received.join();
    expect(collector.paths[0]).toBe('/v1/traces');
    expect(sent).toContain(traceId);
    expect(sent).toContain('/items/:id');
    expect(sent).toContain('Failed query: select $1');
    expect(sent).toContain('tracing.test.ts');
    expect(sent).not.toContain('S3CRET');
    expect(sent).not.toContain('71230567');
  });

  it('makes one span of a request and one of each call that it makes, in one trace, and sends no URL', async () => {
    const collector = await startCollector();
    const peer = await startCollector();
    const tracing = await startTracing({ service: 'traced', version: '1.0.0', endpoint: collector.url });
    const app = await tracedApp(tracing);
    app.addHook('preHandler', async () => undefined);
    app.post('/ask/:id', async () => {
      await fetch(`${peer.url}/S3CRET1?q=S3CRET2`);
      return tracing.spans.within('think', { depth: 2, left: undefined }, async (span) => {
        span.set({ words: ['a'] });
        span.fail('tired');
        await fetch(peer.url);
        return 'ok';
      });
    });
    const base = await app.listen({ host: '127.0.0.1', port: 0 });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const asked = { method: 'POST', body: '{"a":1}', headers: { traceparent, 'content-type': 'application/json' } };
    expect(await (await fetch(`${base}/ask/S3CRET3`, asked)).text()).toBe('ok');
    await fetch(peer.url);
    await tracing.shutdown();
    const spans = collector.spans();
    expect(spans.map(({ name }) => name)).toEqual(['GET', 'GET', 'think', 'POST /ask/:id']);
    const [first, second, thought, request] = spans;
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(['0af7651916cd43dd8448eb211c80319c']));
    expect([first?.parentSpanId, second?.parentSpanId, thought?.parentSpanId, request?.parentSpanId]).toEqual([
      ...[request?.spanId, thought?.spanId, request?.spanId, 'b7ad6b7169203331'],
    ]);
    expect(thought).toMatchObject({ status: { code: 2 } });
    expect(peer.parents).toEqual([
      `00-0af7651916cd43dd8448eb211c80319c-${first?.spanId}-01`,
      `00-0af7651916cd43dd8448eb211c80319c-${second?.spanId}-01`,
      undefined,
    ]);
    expect(collector.received.join()).not.toContain('S3CRET');
  });

  it('does not hold a shutdown when the collector is away', async () => {
    const tracing = await startTracing({ service: 'test', version: '1.0.0', endpoint: 'http://127.0.0.1:9' });
    await expect(tracing.shutdown()).resolves.toBeUndefined();
  });
});
