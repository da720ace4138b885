import { type Frame, framesIn } from './answer-reading.js';

/** A stream that says nothing for so long is taken for cut: a sign of life comes every 15 s. */
const silenceMs = 20_000;

/**
 * Reads the server-sent events of a URL until the stream ends, breaks, goes quiet, `take` answers false or `leave` says
 * so. What came whole counts.
 * @returns the status, 0 where nobody answered
 */
export async function readFrames(
  url: string,
  init: RequestInit,
  take: (frames: readonly Frame[]) => boolean,
  leave = new AbortController(),
): Promise<number> {
  let quiet = setTimeout(() => leave.abort(), silenceMs);
  let status = 0;
  try {
    const reply = await fetch(url, { ...init, signal: leave.signal });
    ({ status } = reply);
    if (status !== 200 || reply.body === null) {
      await reply.body?.cancel();
      return status;
    }
    let tail = '';
    for await (const piece of reply.body.pipeThrough(new TextDecoderStream())) {
      clearTimeout(quiet);
      quiet = setTimeout(() => leave.abort(), silenceMs);
      const { frames, rest } = framesIn(tail + piece);
      tail = rest;
      if (!take(frames)) break;
    }
  } catch {
    // It broke.
  } finally {
    clearTimeout(quiet);
    leave.abort();
  }
  return status;
}
