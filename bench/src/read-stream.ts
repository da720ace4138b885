import { Agent, request } from 'node:http';

export interface StreamReading {
  readonly status: number;
  readonly frames: number;
  readonly bytes: number;
  /** Pieces in which it arrived, which are at most as many as were written. */
  readonly pieces: number;
  /** From the request to the first frame. */
  readonly firstFrameMs: number;
  /** From the request to the first frame that holds text. */
  readonly firstTextMs: number;
  /** Whether the last frame has `last` in it, and the ids of all are 1, 2, 3 and so on. */
  readonly isComplete: boolean;
}

/** A connection for each stream, as clients have. */
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

/** A stream that takes longer did not complete. */
const limitMs = 180_000;

/**
 * Posts a body and reads the stream of events that answers it, to its end. Never rejects: a stream that breaks is not complete.
 *
 * @param onFrames told of frames as they arrive: how many came before, and how many with these
 */
export function readStream(
  url: string,
  headers: Record<string, string>,
  body: object,
  last: string,
  onFrames: (before: number, now: number) => void = () => undefined,
): Promise<StreamReading> {
  return new Promise((resolve) => {
    const sentAt = performance.now();
    const reading = { status: 0, frames: 0, bytes: 0, pieces: 0, firstFrameMs: 0, firstTextMs: 0, isComplete: false };
    let isInOrder = true;
    const end = () => resolve(reading);
    const options = { method: 'POST', agent, signal: AbortSignal.timeout(limitMs) };
    const call = request(url, { ...options, headers: { ...headers, 'content-type': 'application/json' } });
    call.on('error', end);
    call.on('response', (reply) => {
      let tail = '';
      reading.status = reply.statusCode ?? 0;
      reply.setEncoding('utf8');
      reply.on('error', end);
      reply.on('data', (chunk: string) => {
        const parts = (tail + chunk).split('\n\n');
        tail = parts.pop() ?? '';
        reading.bytes += Buffer.byteLength(chunk);
        reading.pieces += 1;
        const frames = parts.filter((part) => part.startsWith('id: '));
        if (!frames.every((frame, index) => idOf(frame) === reading.frames + index + 1)) isInOrder = false;
        reading.frames += frames.length;
        onFrames(reading.frames - frames.length, reading.frames);
        if (reading.firstFrameMs === 0 && reading.frames > 0) reading.firstFrameMs = performance.now() - sentAt;
        if (reading.firstTextMs === 0 && parts.some((part) => part.includes('event: message'))) {
          reading.firstTextMs = performance.now() - sentAt;
        }
        if (parts.at(-1)?.includes(last) === true) reading.isComplete = isInOrder;
      });
      reply.on('end', end);
    });
    call.end(JSON.stringify(body));
  });
}

function idOf(frame: string): number {
  return Number(frame.slice('id: '.length, frame.indexOf('\n')));
}
