import { describe, expect, it } from 'vitest';
import { boundedReply, lineBytes, replyBytes } from './bounded-reply.js';

/** A body with a number of pieces, which counts the pieces that were read. */
function pieces(count: number, piece: string) {
  const bytes = new TextEncoder().encode(piece);
  let taken = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (taken++ < count) controller.enqueue(bytes);
      else controller.close();
    },
  });
  return { body, taken: () => taken };
}

const line = `${'x'.repeat(65_535)}\n`;

describe('a reply of a model endpoint', () => {
  it('is passed on unchanged, for any status', async () => {
    const reply = boundedReply(new Response(`one\n${'x'.repeat(lineBytes)}`, { status: 429, headers: { a: 'b' } }));
    expect([reply.status, reply.headers.get('a'), (await reply.text()).length]).toEqual([429, 'b', lineBytes + 4]);
  });

  it('fails if one line does not end, and is not read further', async () => {
    const { body, taken } = pieces(1_000, line.replace('\n', 'x'));
    await expect(boundedReply(new Response(body)).text()).rejects.toThrow('too long');
    expect(taken()).toBeLessThan(50);
  });

  it('fails if it does not end, and is not read further', async () => {
    const { body, taken } = pieces(5_000, line);
    const { body: bounded } = boundedReply(new Response(body));
    let bytes = 0;
    const reading = (async () => {
      for await (const chunk of bounded ?? []) bytes += (chunk as Uint8Array).length;
    })();
    await expect(reading).rejects.toThrow('too long');
    expect([bytes <= replyBytes, taken() < 1_100]).toEqual([true, true]);
  });
});
