import { describe, expect, it, vi } from 'vitest';
import { startCollector, tracedProcess } from './traced-app.fixture.js';

/** A busy machine may be slow. */
const patient = { timeout: 15_000, interval: 20 };
const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

async function traced(config = {}) {
  const collector = await startCollector();
  const process = await tracedProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...config });
  /** Spans in the order in which they ended, once all are sent. */
  const sent = async () => {
    await process.app.close();
    await process.tracing.shutdown();
    return collector.spans();
  };
  return { ...process, collector, sent };
}

describe('tracing', () => {
  it('is off, and adds nothing to the app, without an endpoint', async () => {
    const { tracing, logger, lines } = await tracedProcess({});
    expect(tracing.plugin).toBeUndefined();
    logger.info('hello');
    expect(lines()[0]).not.toHaveProperty('trace_id');
  });

  it("continues the caller's trace and sends the route, never the URL", async () => {
    const { app, collector, sent } = await traced();
    app.get('/items/:id', async () => 'ok');
    app.get('/fails', async () => {
      throw new Error('Failed query: select $1\nparams: S3CRET4,+260971230567');
    });
    expect((await app.inject('/fails')).statusCode).toBe(500);
    const headers = { traceparent, authorization: 'Bearer S3CRET3' };
    expect((await app.inject({ url: '/items/S3CRET1?secret=S3CRET2', headers })).statusCode).toBe(200);
    expect((await app.inject('/S3CRET5')).statusCode).toBe(404);
    const [failed, found, missing] = await sent();
    expect(failed).toMatchObject({
      name: 'GET /fails',
      kind: 2,
      status: { code: 2 },
      facts: { 'error.type': '500', 'http.response.status_code': 500 },
    });
    expect(found).toMatchObject({ name: 'GET /items/:id', kind: 2, traceId, parentSpanId: 'b7ad6b7169203331' });
    expect(found?.facts).toEqual({
      'http.request.method': 'GET',
      'http.route': '/items/:id',
      'url.scheme': 'http',
      'http.response.status_code': 200,
    });
    expect(missing).toMatchObject({ name: 'GET', facts: { 'http.response.status_code': 404 } });
    const written = collector.received.join();
    expect(collector.paths[0]).toBe('/v1/traces');
    expect(written).toContain('Failed query: select $1');
    expect(written).toContain('tracing.test.ts');
    expect(written).not.toContain('S3CRET');
    expect(written).not.toContain('71230567');
  });

  it('names the process, its version and its place', async () => {
    const [one, other] = [
      await traced(),
      await traced({ OTEL_RESOURCE_ATTRIBUTES: { 'service.instance.id': 'pod-7' } }),
    ];
    const [[first], [second]] = [await requested(one), await requested(other)];
    expect(first?.resource).toMatchObject({
      'service.name': 'traced',
      'service.version': '1.2.3',
      'deployment.environment.name': 'test',
      'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(second?.resource).toMatchObject({ 'service.instance.id': 'pod-7' });
  });

  it('adds its id to each log line of a request, including the last one', async () => {
    const { app, lines } = await traced();
    app.get('/items/:id', async (request) => {
      request.log.info('half way');
      return 'ok';
    });
    const base = await app.listen({ host: '127.0.0.1', port: 0 });
    await fetch(`${base}/items/1`, { headers: { traceparent } });
    await vi.waitFor(() => expect(lines().filter((line) => line['trace_id'] === traceId)).toHaveLength(2), patient);
    const [half, end] = lines().filter((line) => line['trace_id'] === traceId);
    expect(half).toMatchObject({ msg: 'half way', span_id: end?.['span_id'] });
    expect(end).toMatchObject({ msg: 'request', route: '/items/:id' });
  });

  it('makes one span of a request and one of each call that it makes, in one trace, and sends no URL', async () => {
    const peer = await startCollector();
    const { app, tracing, collector, sent } = await traced();
    // A span ends with the body of the reply, which may arrive after its headers.
    const askPeer = async (path = '') => (await fetch(`${peer.url}${path}`)).text();
    app.addHook('preHandler', async () => undefined);
    app.post('/ask/:id', async () => {
      await askPeer('/S3CRET1?q=S3CRET2');
      return tracing.spans.within('think', { depth: 2, left: undefined }, async (span) => {
        span.set({ words: ['a'] });
        span.fail('tired');
        await askPeer();
        return 'ok';
      });
    });
    const base = await app.listen({ host: '127.0.0.1', port: 0 });
    const headers = { traceparent, baggage: 'S3CRET4=5', 'content-type': 'application/json' };
    const requests = { method: 'POST', body: '{"a":1}', headers };
    expect(await (await fetch(`${base}/ask/S3CRET3`, requests)).text()).toBe('ok');
    await fetch(peer.url);
    const spans = await sent();
    expect(spans.map(({ name }) => name)).toEqual(['GET', 'GET', 'think', 'POST /ask/:id']);
    const [first, second, thought, request] = spans;
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
    expect([first?.parentSpanId, second?.parentSpanId, thought?.parentSpanId, request?.parentSpanId]).toEqual([
      request?.spanId,
      thought?.spanId,
      request?.spanId,
      'b7ad6b7169203331',
    ]);
    expect(thought).toMatchObject({ status: { code: 2 } });
    expect(peer.parents).toEqual([
      `00-${traceId}-${first?.spanId}-01`,
      `00-${traceId}-${second?.spanId}-01`,
      undefined,
    ]);
    expect(peer.baggage).toEqual([undefined, undefined, undefined]);
    expect(collector.received.join()).not.toContain('S3CRET');
  });

  it.each([
    `00-${traceId}-b7ad6b7169203331`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `ff-${traceId}-b7ad6b7169203331-01`,
    `00-${traceId}-b7ad6b7169203331-01-${'x'.repeat(8_000)}`,
    `00-${'S3CRET'.padEnd(32, 'x')}-b7ad6b7169203331-01`,
  ])('begins a new trace for an invalid parent (%$)', async (header) => {
    const { app, collector, sent } = await traced();
    const [span] = await requested({ app, sent }, { traceparent: header });
    expect(span?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(span?.traceId).not.toBe(traceId);
    expect(span).not.toHaveProperty('parentSpanId');
    expect(collector.received.join()).not.toContain('S3CRET');
  });

  it('samples the configured fraction, independent of the caller', async () => {
    const none = await traced({ OTEL_TRACES_SAMPLER_ARG: 0 });
    expect(await requested(none, { traceparent })).toEqual([]);
    const all = await traced();
    expect(await requested(all, { traceparent: traceparent.replace(/01$/, '00') })).toHaveLength(1);
  });

  it('records no spans of probes', async () => {
    const { app, sent } = await traced();
    await app.inject('/health/live');
    expect(await sent()).toEqual([]);
  });

  it('does not delay a shutdown when the collector is unavailable', async () => {
    const { tracing } = await tracedProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    await expect(tracing.shutdown()).resolves.toBeUndefined();
  });
});

type Traced = Awaited<ReturnType<typeof traced>>;

async function requested({ app, sent }: Pick<Traced, 'app' | 'sent'>, headers = {}) {
  app.get('/one', async () => 'ok');
  await app.inject({ url: '/one', headers });
  return sent();
}
