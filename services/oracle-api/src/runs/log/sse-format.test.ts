import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseSse } from './parse-sse.fixture.js';
import { SseStream, sseFrame } from './sse-format.js';
import type { RunFrame } from './store.js';

const frameOf = (content: string, id = 1): RunFrame => ({
  id,
  event: 'message',
  data: JSON.stringify({ content }),
  textLength: 0,
});

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

describe('a server-sent frame', () => {
  it('is an id, an event, one line of data and a blank line', () => {
    expect(sseFrame(frameOf('a\nb', 7))).toBe('id: 7\nevent: message\ndata: {"content":"a\\nb"}\n\n');
  });

  it('carries any text unchanged, line breaks included', () => {
    const breaks = fc.constantFrom(
      '\n',
      '\r',
      '\r\n',
      '\u2028',
      '\u2029',
      '\u0085',
      'data: x',
      '\n\ndata: y\n\n',
      ': ',
      '\ud800',
    );
    const texts = fc
      .array(fc.oneof(breaks, fc.string({ unit: 'binary' })), { maxLength: 20 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1, maxLength: 5 }), (contents) => {
        const wire = contents.map((content, index) => sseFrame(frameOf(content, index + 1))).join('');
        // Sent as bytes, as a client receives it.
        const events = parseSse(Buffer.from(wire, 'utf8').toString('utf8'));
        expect(events.map(({ data }) => JSON.parse(data).content)).toEqual(contents);
        expect(events.map(({ id }) => Number(id))).toEqual(contents.map((_, index) => index + 1));
        expect(events.every(({ event }) => event === 'message')).toBe(true);
      }),
    );
  });
});

describe('the byte stream of a run', () => {
  it('ends with the frames', async () => {
    async function* batches() {
      yield [frameOf('a', 1), frameOf('b', 2)];
      yield [frameOf('c', 3)];
    }
    const events = parseSse(await textOf(new SseStream(batches, sseFrame, { heartbeatMs: 1000 })));
    expect(events.map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  it('sends heartbeats only between frames, and they are no events', async () => {
    let release = () => {};
    async function* batches() {
      yield [frameOf('a', 1)];
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      yield [frameOf('b', 2)];
    }
    const stream = new SseStream(batches, sseFrame, { heartbeatMs: 5 });
    let text = '';
    stream.on('data', (chunk) => {
      text += String(chunk);
    });
    await vi.waitFor(() => expect(text.split(': heartbeat\n\n').length).toBeGreaterThan(3));
    release();
    await vi.waitFor(() => expect(stream.readableEnded).toBe(true));
    expect(parseSse(text).map(({ id }) => id)).toEqual(['1', '2']);
    expect(text.replaceAll(': heartbeat\n\n', '')).toBe(sseFrame(frameOf('a', 1)) + sseFrame(frameOf('b', 2)));
  });

  it('reads no further ahead than its buffer', async () => {
    let produced = 0;
    async function* batches() {
      for (; produced < 10_000; produced++) yield [frameOf('x'.repeat(1000), produced + 1)];
    }
    const stream = new SseStream(batches, sseFrame, { heartbeatMs: 1000 });
    stream.read(0);
    await vi.waitFor(() => expect(stream.readableLength).toBeGreaterThan(0));
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(produced).toBeLessThan(100);
    stream.destroy();
  });

  it('sends no heartbeats to a reader with unread data', async () => {
    async function* batches() {
      yield [frameOf('a', 1)];
      await new Promise(() => undefined);
    }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const stream = new SseStream(batches, sseFrame, { heartbeatMs: 1_000 });
      stream.read(0);
      while (stream.readableLength === 0) await new Promise((resolve) => setImmediate(resolve));
      const lengthBytes = stream.readableLength;
      await vi.advanceTimersByTimeAsync(60_000);
      expect(stream.readableLength).toBe(lengthBytes);
      stream.destroy();
    } finally {
      vi.useRealTimers();
    }
  });

  it('stops following when the reader closes', async () => {
    let signal: AbortSignal | undefined;
    const stream = new SseStream(
      async function* (closed) {
        signal = closed;
        yield [frameOf('a')];
        await new Promise((resolve) => closed.addEventListener('abort', resolve));
      },
      sseFrame,
      { heartbeatMs: 60_000 },
    );
    stream.resume();
    await vi.waitFor(() => expect(signal).toBeDefined());
    stream.destroy();
    await vi.waitFor(() => expect(signal?.aborted).toBe(true));
  });
});
