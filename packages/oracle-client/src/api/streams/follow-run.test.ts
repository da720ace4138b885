import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnswerDraft, emptyDraft, growDraft } from '../chat/answer.js';
import { type FollowParts, followRun } from './follow-run.js';

const encoder = new TextEncoder();

interface Frame {
  readonly id: number | undefined;
  readonly event: string;
  readonly data: object;
}

const place = { sessionId: 's', requestId: 'q' };

/** Frames of a run with the given pieces of text, after a tool call. */
function framesOf(pieces: readonly string[]): Frame[] {
  const call = { ...place, toolName: 'clock', args: {}, eventId: 'c1' };
  return [
    { event: 'run', data: { runId: 'r', ...place } },
    { event: 'tool_call', data: { ...call, status: 'isRunning' } },
    { event: 'tool_call', data: { ...call, status: 'done', output: '"noon"' } },
    ...pieces.map((content) => ({ event: 'message', data: { content, timestamp: '' } })),
    { event: 'done', data: { runId: 'r', messageId: 'q', status: 'finished' } },
  ].map((frame, index) => ({ id: index + 1, ...frame }));
}

function bytesOf(frames: readonly Frame[]): Uint8Array {
  const text = frames.map(({ id, event, data }) => {
    return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n: heartbeat\n\n`;
  });
  return encoder.encode(text.join(''));
}

const textIn = (frames: readonly Frame[]) =>
  frames.map(({ event, data }) => (event === 'message' && 'content' in data ? String(data.content) : '')).join('');

/** The service's response to a resuming reader: the expected length, then the missing frames. */
function streamAfter(frames: readonly Frame[], after: number): Uint8Array {
  const seen = frames.filter(({ id }) => id !== undefined && id <= after);
  const resumed = { runId: 'r', ...place, resumed: true, attempt: 1, partialLength: textIn(seen).length };
  const first = after > 0 ? [{ id: after, event: 'run', data: resumed }] : [];
  return bytesOf([...first, ...frames.slice(seen.length)]);
}

/** A body of these bytes in pieces, after which the connection ends, or breaks. */
function bodyOf(bytes: Uint8Array, pieceBytes: number, isBroken = false): Pick<Response, 'body'> {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        controller.enqueue(new Uint8Array(bytes.slice(at, at + pieceBytes)));
      }
      if (isBroken) controller.error(new TypeError('network error'));
      else controller.close();
    },
  });
  return { body };
}

const parts = (open: FollowParts['open']): FollowParts => ({
  open,
  isPassing: (error) => error instanceof TypeError,
  pause: (attempt) => (attempt > 5 ? Promise.reject(new Error('given up')) : Promise.resolve()),
  silenceMs: 60_000,
  signal: new AbortController().signal,
});

async function read(source: Parameters<typeof followRun>[0], open: FollowParts['open']): Promise<AnswerDraft> {
  let draft = emptyDraft;
  for await (const events of followRun(source, parts(open)))
    draft = events.reduce((grown, event) => growDraft(grown, event), draft);
  return draft;
}

const never = () => Promise.reject(new Error('no request expected'));

const pieces = ['Hel', 'lo, ', 'Zürich ', '👋🏽 ', 'line\nbreak\r\n', 'data: x\n\n', '\u2028', 'end'];
const frames = framesOf(pieces);
const whole = pieces.join('');

describe('a followed run', () => {
  it('neither loses nor repeats a frame, wherever the connection ends or breaks', async () => {
    const bytes = bytesOf(frames);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const draft = await read({ first: bodyOf(bytes.slice(0, cut), 7, cut % 2 === 0), runId: 'r' }, async (_, after) =>
        bodyOf(streamAfter(frames, after), 16),
      );
      expect(draft.text, `cut at byte ${cut}`).toBe(whole);
      expect(draft.components.map(({ component }) => component)).toMatchObject([
        { id: 'c1', status: 'done', output: '"noon"' },
      ]);
      expect(draft.isOver).toBe(true);
    }
  });

  it('neither loses nor repeats a frame across repeated cuts and outages', async () => {
    const cuts = fc.array(fc.oneof(fc.nat(400), fc.constant('away' as const)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 20 }), cuts, async (said, lengths) => {
        const run = framesOf(said);
        let opened = 0;
        const draft = await read({ runId: 'r' }, async (_, after) => {
          const length = lengths[opened++];
          // One of five attempts lets a frame through: a reader without any frame gives up in the end.
          if (length === 'away' && opened % 5 > 0) throw new TypeError('network error');
          const bytes = streamAfter(run, after);
          const least = opened % 5 === 0 ? bytes.length : 0;
          return bodyOf(typeof length === 'number' ? bytes.slice(0, Math.max(length, least)) : bytes, 33);
        });
        expect(draft.text).toBe(said.join(''));
      }),
    );
  });

  it('neither loses nor doubles text when frames have expired and the stored answer is used', async () => {
    const last = frames.length;
    const kept = (after: number): Uint8Array => {
      const seen = textIn(frames.slice(0, after));
      const greeting = { runId: 'r', ...place, ...(after === 0 ? {} : { resumed: true, partialLength: seen.length }) };
      const rest = whole.slice(seen.length);
      const call = { ...place, toolName: 'clock', args: {}, eventId: 'c1', status: 'done', output: '"noon"' };
      const ids = Math.max(after, last - 1);
      return bytesOf([
        { id: Math.max(1, after), event: 'run', data: greeting },
        ...(rest === '' ? [] : [{ id: last - 1, event: 'message', data: { content: rest, timestamp: '' } }]),
        { id: ids + 1, event: 'tool_call', data: call },
        { id: ids + 2, event: 'done', data: { runId: 'r', messageId: 'q', status: 'finished' } },
      ]);
    };
    const bytes = bytesOf(frames);
    for (let cut = 0; cut <= bytes.length; cut += 3) {
      let opened = 0;
      const first = bodyOf(bytes.slice(0, cut), 7, true);
      const draft = await read({ first, runId: 'r' }, async (_, after) => {
        // The second stream is cut too: the third starts at its last frame.
        const rest = kept(after);
        return bodyOf(opened++ === 0 ? rest.slice(0, cut % rest.length) : rest, 16);
      });
      expect(draft.text, `cut at byte ${cut}`).toBe(whole);
      expect(draft.components.map(({ component }) => component)).toMatchObject([
        { id: 'c1', status: 'done', output: '"noon"' },
      ]);
      expect(draft.isOver).toBe(true);
    }
  });

  it('starts over when frames have no ids, or the server has another text', async () => {
    const bare = frames.map((frame) => ({ ...frame, id: undefined }));
    const half = bytesOf(bare.slice(0, 6));
    const draft = await read({ first: bodyOf(half, 50), runId: 'r' }, async () => bodyOf(bytesOf(bare), 50));
    expect(draft.text).toBe(whole);

    const afters: number[] = [];
    const astray = await read({ first: bodyOf(bytesOf(frames.slice(0, 6)), 50) }, async (_, after) => {
      afters.push(after);
      if (after === 0) return bodyOf(bytesOf(frames), 50);
      const resumed = { runId: 'r', ...place, resumed: true, partialLength: 2 };
      return bodyOf(bytesOf([{ id: after, event: 'run', data: resumed }, ...frames.slice(after)]), 50);
    });
    expect(astray.text).toBe(whole);
    expect(afters).toEqual([6, 0]);
  });

  it('ends without an error if the run has no id, and with the error of a permanent refusal', async () => {
    const nameless = frames.slice(3, 5);
    const draft = await read({ first: bodyOf(bytesOf(nameless), 50) }, () => expect.unreachable());
    expect([draft.text, draft.isOver]).toEqual(['Hello, ', false]);
    const refusal = new Error('Run not found');
    await expect(read({ runId: 'r' }, () => Promise.reject(refusal))).rejects.toBe(refusal);
  });

  it('stops after repeated connections with a greeting only', async () => {
    const greeting = bytesOf(frames.slice(0, 1));
    await expect(read({ runId: 'r' }, async () => bodyOf(greeting, 50))).rejects.toThrow('given up');
  });

  it('drops frames that a server repeats', async () => {
    const first = bodyOf(bytesOf(frames.slice(0, 7)), 50);
    const draft = await read({ first, runId: 'r' }, async (_, after) => bodyOf(bytesOf(frames.slice(after - 3)), 50));
    expect(draft.text).toBe(whole);
  });

  it('closes the connection when the reader stops', async () => {
    const leaving = new AbortController();
    let isClosed = false;
    const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(new Uint8Array(bytesOf(frames.slice(0, 5)))),
      cancel: () => {
        isClosed = true;
      },
    });
    const reading = followRun({ first: { body: endless }, runId: 'r' }, { ...parts(never), signal: leaving.signal });
    await reading.next();
    const waiting = reading.next();
    leaving.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    expect(isClosed).toBe(true);
  });

  it('treats silence without heartbeats as a broken connection', async () => {
    let isClosed = false;
    const silent = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(new Uint8Array(bytesOf(frames.slice(0, 5)))),
      cancel: () => {
        isClosed = true;
      },
    });
    let draft = emptyDraft;
    const quick = { ...parts(async (_, after) => bodyOf(streamAfter(frames, after), 50)), silenceMs: 20 };
    for await (const events of followRun({ first: { body: silent }, runId: 'r' }, quick))
      draft = events.reduce((grown, event) => growDraft(grown, event), draft);
    expect(draft.text).toBe(whole);
    expect(isClosed).toBe(true);
  });
});
