import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { OpenStreams } from './sse-format.js';

describe('open streams', () => {
  it('are waited for until they are read', async () => {
    const streams = new OpenStreams();
    const stream = streams.add(Readable.from(['a', 'b']));
    const finished = streams.finish(60_000);
    stream.resume();
    await finished;
    expect(streams.size).toBe(0);
  });

  it('are destroyed without a reader', async () => {
    const streams = new OpenStreams();
    const stream = streams.add(Readable.from(['a']));
    await streams.finish(1);
    expect(stream.destroyed).toBe(true);
  });

  it('delay nothing when there are none', async () => {
    await new OpenStreams().finish(60_000);
  });
});
