import { describe, expect, it } from 'vitest';
import { readFrames } from './read-frames.js';

const text = new TextEncoder().encode('id: 1\nevent: done\ndata: {}\n\n');

/** A stream with one frame that ends on demand. */
function stream() {
  let isCancelled = false;
  let end: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(text);
      end = () => controller.close();
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  return { body, end: () => end(), isCancelled: () => isCancelled };
}

describe('a stream after its last frame', () => {
  it('ends by itself and is not cancelled', async () => {
    const { body, end, isCancelled } = stream();
    for await (const _ of readFrames(body, { silenceMs: undefined })) break;
    expect(isCancelled()).toBe(false);
    end();
    expect(isCancelled()).toBe(false);
  });

  it('is cancelled when its end is late, or at once when the chat is closed', async () => {
    const endless = stream();
    for await (const _ of readFrames(endless.body, { silenceMs: undefined })) break;
    await expect.poll(endless.isCancelled, { timeout: 3_000 }).toBe(true);
    const left = stream();
    const leaving = new AbortController();
    for await (const _ of readFrames(left.body, { silenceMs: undefined, signal: leaving.signal })) leaving.abort();
    expect(left.isCancelled()).toBe(true);
  });
});
