import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { estimateTokens } from '../../models/usage.js';
import { attachmentsOracle } from './attachments-oracle.fixture.js';
import { MatrixPeer } from './matrix-peer.fixture.js';

const long = Array.from({ length: 4_000 }, (_, line) => `line ${line}`).join('\n');

describe('long texts', () => {
  const peer = new MatrixPeer();
  let oracle: Awaited<ReturnType<typeof attachmentsOracle>>;
  beforeAll(async () => {
    await peer.listen();
    oracle = await attachmentsOracle(peer, { env: { ATTACHMENT_TOKENS: '1000' } });
  });
  beforeEach(() => {
    peer.seen.length = 0;
  });
  afterAll(async () => {
    await oracle.close();
    await peer.close();
  });
  const lastOutput = () =>
    JSON.parse(oracle.requests.at(-1)?.messages.findLast(({ role }) => role === 'tool')?.content ?? '');

  it('are shown up to their share, with the length of the rest', async () => {
    const file = { mxcUri: peer.keep(long), filename: 'long.txt', mimetype: 'text/plain' };
    const [first, second] = await oracle.filesFor([file, { ...file, filename: 'again.txt' }]);
    for (const one of [first, second]) {
      if (one?.kind !== 'text') throw new Error('no text');
      expect(estimateTokens(one.text)).toBeLessThanOrEqual(500);
      expect(estimateTokens(one.text)).toBeGreaterThan(450);
      expect(long.startsWith(one.text)).toBe(true);
      expect(one.text.length + one.leftChars).toBe(long.length);
    }
  });

  it("take at most a quarter of the model's context window", async () => {
    const small = await attachmentsOracle(peer, { contextTokens: 400 });
    const [file] = await small.filesFor([{ mxcUri: peer.keep(long), filename: 'l.txt', mimetype: 'text/plain' }]);
    expect(file?.kind === 'text' && estimateTokens(file.text)).toBeLessThanOrEqual(100);
    await small.close();
  });

  it('are cut between characters', async () => {
    const [file] = await oracle.filesFor([
      { mxcUri: peer.keep('🐐'.repeat(3_000)), filename: 'goats.txt', mimetype: 'text/plain' },
    ]);
    expect(file?.kind === 'text' && file.text.replaceAll('🐐', '')).toBe('');
  });

  it("are continued with a tool, also in a later message, with that message's token", async () => {
    await oracle.filesFor([{ mxcUri: peer.keep(long), filename: 'Book.txt', mimetype: 'text/plain' }]);
    await oracle.send({ message: 'use the tool read_attachment with {"filename":"book.txt","offset":20000}' });
    expect(lastOutput()).toMatchObject({ filename: 'book.txt', totalChars: long.length });
    expect(lastOutput().text).toBe(long.slice(20_000, lastOutput().nextOffset));
    await oracle.send({ message: 'use the tool read_attachment with {"filename":"book.txt"}' }, {});
    expect(lastOutput()).toEqual({ error: expect.stringContaining('did not name its Matrix homeserver') });
    await oracle.send({ message: 'use the tool read_attachment with {"filename":"none.txt"}' });
    expect(lastOutput()).toEqual({ error: 'There is no file "none.txt" in this conversation.' });
  });

  it('have no such tool in a conversation without files', async () => {
    const fresh = await attachmentsOracle(peer);
    await fresh.send({ message: 'hello' });
    expect(fresh.requests[0]?.tools?.map(({ name }) => name)).not.toContain('read_attachment');
    await fresh.close();
  });
});
