import { FairSemaphore } from '@mlango/async/fair-semaphore';
import { createOutbound } from '@mlango/outbound/outbound';
import { createLogger } from '@mlango/service-kit/logging';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AttachmentPools, openAttachmentPools } from './attachment-pools.js';
import { MatrixPeer } from './matrix-peer.fixture.js';
import { attachmentSettings } from './settings.js';
import { type AttachmentsContext, TurnFiles } from './turn-files.js';

/** Pools with these limits in bytes, per user and per address. */
function poolsOf(ofUser: number, ofAddress = ofUser): AttachmentPools {
  const { pdfThreads } = openAttachmentPools((options) => new FairSemaphore(options), attachmentSettings.parse({}));
  const shares = { user: ofUser, address: ofAddress };
  return { pdfThreads, files: new FairSemaphore({ name: 'file_bytes', total: 100_000, shares }) };
}

describe('memory of files in turns', () => {
  const peer = new MatrixPeer();
  const uploads = { find: async () => undefined };
  const outbound = createOutbound({ privateHosts: [{ host: '127.0.0.1' }] });
  beforeAll(() => peer.listen());
  afterAll(async () => {
    await outbound.close();
    await peer.close();
  });

  /** A turn with these files; reading one reserves 2,000 bytes. */
  function turn(pools: AttachmentPools, mxcUris: readonly string[], user = 'did:key:z') {
    const over = new AbortController();
    const attachments = mxcUris.map((mxcUri) => ({ mxcUri, filename: 'a.txt', mimetype: 'text/plain' }));
    const context = {
      config: attachmentSettings.parse({ MATRIX_HOMESERVERS: peer.origin, ATTACHMENT_MAX_BYTES: '2000' }),
      message: { attachments },
      history: { attachments: [] },
      session: { id: 's', requestId: 'r', metadata: {} },
      user: { did: user, address: '192.0.2.1', currentTime: new Date(0) },
      model: { id: 'm' },
      matrix: { homeserver: peer.origin, accessToken: peer.token },
      logger: createLogger({ service: 'test', level: 'silent' }),
      abortSignal: new AbortController().signal,
      over: over.signal,
    };
    // Other members of the turn are unused here.
    return {
      files: new TurnFiles(context as unknown as AttachmentsContext, {
        outbound,
        pools,
        uploads,
        transcribe: undefined,
      }),
      over,
    };
  }

  it('is held by size until the turn is over', async () => {
    const held = poolsOf(10_000);
    const { files, over } = turn(held, [
      peer.keep('x'.repeat(300)),
      peer.keep('y'.repeat(200)),
      'mxc://example.org/no',
    ]);
    expect((await files.ofMessage()).map(({ kind }) => kind)).toEqual(['text', 'text', 'unread']);
    expect(held.files.taken).toBe(500);
    over.abort();
    expect(held.files.taken).toBe(0);
  });

  it('never exceeds the pool: further files are not read', async () => {
    const held = poolsOf(2_100);
    const first = turn(held, [peer.keep('x'.repeat(300))]);
    expect((await first.files.ofMessage())[0]?.kind).toBe('text');
    const second = turn(held, [peer.keep('y')]);
    expect((await second.files.ofMessage())[0]).toMatchObject({ reason: expect.stringContaining('too many files') });
    first.over.abort();
    const third = turn(held, [peer.keep('z')]);
    expect((await third.files.ofMessage())[0]?.kind).toBe('text');
  });

  it('is limited per address, across its users', async () => {
    const held = poolsOf(4_000, 4_100);
    const taken = ['a', 'b'].map(async (user) => {
      const { files } = turn(held, [peer.keep('x'.repeat(1_900))], user);
      return (await files.ofMessage())[0]?.kind;
    });
    expect(await Promise.all(taken)).toEqual(['text', 'text']);
    expect(held.files.taken).toBe(3_800);
    const third = turn(held, [peer.keep('y')], 'c');
    expect((await third.files.ofMessage())[0]).toMatchObject({ reason: expect.stringContaining('too many files') });
    expect(held.files.refused.get('address')).toBe(1);
  });

  it('is not held by a turn that is over before its files arrive', async () => {
    const held = poolsOf(10_000);
    const { files, over } = turn(held, [peer.answering((_, reply) => void reply.hijack())]);
    const reading = files.ofMessage();
    await expect.poll(() => held.files.taken).toBe(2_000);
    over.abort();
    expect((await reading)[0]?.kind).toBe('unread');
    expect(held.files.taken).toBe(0);
  });
});
