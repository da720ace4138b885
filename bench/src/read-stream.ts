import { Agent, request } from 'node:http';

export interface StreamReading {
  readonly status: number;
  readonly frames: number;
  /** From the request to the first frame that holds text. */
  readonly firstMs: number;
  /** Whether `last` was in it. */
  readonly isComplete: boolean;
}

/** A connection for each stream, as clients have. */
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

/** Posts a body and reads the stream of events that answers it, to its end. */
export function readStream(
  url: string,
  headers: Record<string, string>,
  body: object,
  last: string,
): Promise<StreamReading> {
  return new Promise((resolve, reject) => {
    const sentAt = performance.now();
    const reading = { frames: 0, firstMs: 0, isComplete: false };
    const call = request(url, { method: 'POST', agent, headers: { ...headers, 'content-type': 'application/json' } });
    call.on('error', reject);
    call.on('response', (reply) => {
      let tail = '';
      reply.setEncoding('utf8');
      reply.on('error', reject);
      reply.on('data', (chunk: string) => {
        const parts = (tail + chunk).split('\n\n');
        tail = parts.pop() ?? '';
        reading.frames += parts.length;
        if (reading.firstMs === 0 && parts.some((part) => part.includes('event: message'))) {
          reading.firstMs = performance.now() - sentAt;
        }
        if (parts.at(-1)?.includes(last) === true) reading.isComplete = true;
      });
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, ...reading }));
    });
    call.end(JSON.stringify(body));
  });
}
