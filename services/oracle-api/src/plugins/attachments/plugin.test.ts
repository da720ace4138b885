import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { attachmentsOracle } from './attachments-oracle.fixture.js';
import { MatrixPeer } from './matrix-peer.fixture.js';
import { smallPdf } from './small-pdf.fixture.js';

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(20)]);

describe('files of a message', () => {
  const peer = new MatrixPeer();
  let oracle: Awaited<ReturnType<typeof attachmentsOracle>>;
  beforeAll(async () => {
    await peer.listen();
    oracle = await attachmentsOracle(peer);
  });
  beforeEach(() => {
    peer.seen.length = 0;
    peer.isOld = false;
  });
  afterAll(async () => {
    await oracle.close();
    await peer.close();
  });

  it('are read from the homeserver with the user’s own token, and precede the message', async () => {
    const notes = peer.keep('# Goats\nZuri, Jua', 'text/markdown');
    const table = peer.keep('name,age\nZuri,4', 'text/csv');
    const files = await oracle.filesFor([
      { mxcUri: notes, filename: 'notes.md', mimetype: 'text/markdown', category: 'document', size: 16 },
      { mxcUri: table, filename: 'goats.csv', mimetype: 'text/csv' },
    ]);
    expect(files).toEqual([
      { kind: 'text', filename: 'notes.md', text: '# Goats\nZuri, Jua', leftChars: 0 },
      { kind: 'text', filename: 'goats.csv', text: 'name,age\nZuri,4', leftChars: 0 },
    ]);
    expect(peer.seen).toEqual([
      { path: `/_matrix/client/v1/media/download/${notes.slice(6)}`, authorization: `Bearer ${peer.token}` },
      { path: `/_matrix/client/v1/media/download/${table.slice(6)}`, authorization: `Bearer ${peer.token}` },
    ]);
  });

  it('are stored with the message by location, without their content', async () => {
    const mxcUri = peer.keep('a secret recipe');
    await oracle.filesFor([{ mxcUri, filename: 'recipe.txt', mimetype: 'text/plain' }]);
    const { messages } = (await oracle.app.inject({ url: `/messages/${oracle.session}`, headers: oracle.own })).json();
    const human = messages.findLast(({ type }: { type: string }) => type === 'human');
    expect(human.attachments).toEqual([{ mxcUri, filename: 'recipe.txt', mimetype: 'text/plain' }]);
    expect(human.content).toBe('Have a look');
  });

  it('are mentioned by the built-in model too', async () => {
    const mxcUri = peer.keep('Zuri has four legs');
    const attachments = [{ mxcUri, filename: 'zuri.txt', mimetype: 'text/plain' }];
    const reply = await oracle.send({ message: 'What about this', attachments });
    expect(reply.json().message.content).toBe('zuri.txt has 18 characters. It says: Zuri has four legs');
  });

  it.each(['body', 'header'])('come from the homeserver that the %s names, as a URL or a host', async (place) => {
    const mxcUri = peer.keep('here');
    for (const name of [peer.origin, `${peer.origin}/`, ` ${peer.origin.toUpperCase()}`]) {
      const headers = { 'x-matrix-access-token': peer.token };
      const text =
        place === 'body'
          ? oracle.textOf({ mxcUri }, { homeServer: name }, { ...headers, 'x-matrix-homeserver': 'http://elsewhere' })
          : oracle.textOf({ mxcUri }, {}, { ...headers, 'x-matrix-homeserver': name });
      expect(await text, name).toBe('here');
    }
  });

  it('may be named by an address of the homeserver’s own media', async () => {
    const [server, id] = peer.keep('by its address').slice(6).split('/');
    for (const path of ['client/v1/media/download', 'media/v3/download', 'media/r0/download']) {
      const mxcUri = `${peer.origin}/_matrix/${path}/${server}/${id}`;
      expect(await oracle.textOf({ mxcUri }), path).toBe('by its address');
    }
    expect(peer.seen.every(({ path }) => path.startsWith('/_matrix/client/v1/media/'))).toBe(true);
  });

  it('are read through the older endpoint, without the token, from a homeserver without authenticated media', async () => {
    peer.isOld = true;
    expect(await oracle.textOf({ mxcUri: peer.keep('of old') })).toBe('of old');
    expect(peer.seen.map(({ authorization }) => authorization)).toEqual([`Bearer ${peer.token}`, undefined]);
  });

  it('may be events of a room, plain and encrypted', async () => {
    const metadata = { roomId: peer.roomId };
    const plain = peer.addEvent({ msgtype: 'm.file', body: 'a.txt', url: peer.keep('from the room') });
    expect(await oracle.textOf({ eventId: plain }, { metadata })).toBe('from the room');
    const file = peer.keepEncrypted('nobody else can read this');
    const encrypted = peer.addEvent({ msgtype: 'm.file', body: 'b.txt', file });
    expect(await oracle.textOf({ eventId: encrypted }, { metadata })).toBe('nobody else can read this');
    expect(peer.seen.every(({ authorization }) => authorization === `Bearer ${peer.token}`)).toBe(true);
  });

  it('may be events of the room that the session was created for', async () => {
    const created = {
      method: 'POST',
      url: '/sessions',
      headers: oracle.own,
      payload: { roomId: peer.roomId },
    } as const;
    const { sessionId } = (await oracle.app.inject(created)).json<{ sessionId: string }>();
    const eventId = peer.addEvent({ msgtype: 'm.file', body: 'a.txt', url: peer.keep('of this room') });
    const reply = await oracle.app.inject({
      method: 'POST',
      url: `/messages/${sessionId}`,
      headers: { ...oracle.own, ...oracle.matrix },
      payload: { message: 'What about this', attachments: [{ eventId, filename: 'a.txt', mimetype: 'text/plain' }] },
    });
    expect(reply.json().message.content).toContain('of this room');
  });

  it('are read by their event if both event and address are present', async () => {
    const file = peer.keepEncrypted('only with its key');
    const both = { mxcUri: file.url, eventId: peer.addEvent({ msgtype: 'm.file', body: 'c.txt', file }) };
    expect(await oracle.textOf(both, { metadata: { roomId: peer.roomId } })).toBe('only with its key');
  });

  it('reach the model as text if they are PDFs', async () => {
    const mxcUri = peer.keep(smallPdf('Rent is due on Monday'), 'application/pdf');
    const pdf = { filename: 'rent.pdf', mimetype: 'application/pdf' };
    expect(await oracle.textOf({ mxcUri, ...pdf })).toBe('Rent is due on Monday');
    expect(await oracle.problemOf({ mxcUri: peer.keep(smallPdf('')), ...pdf })).toContain('no text could be found');
    expect(await oracle.problemOf({ mxcUri: peer.keep('%PDF-1.7 broken'), ...pdf })).toContain('was modified');
  });

  it('are recognised as images by their bytes, not by their names', async () => {
    const mxcUri = peer.keep(png, 'text/html');
    const [file] = await oracle.filesFor([{ mxcUri, filename: 'goat.txt', mimetype: 'text/plain' }]);
    expect(file).toMatchObject({ kind: 'image', filename: 'goat.txt', mediaType: 'image/png' });
    expect(file?.kind === 'image' && hash(file.bytes)).toBe(hash(png));
  });

  it('are limited to ten, in the order of sending, regardless of failures', async () => {
    const attachments = Array.from({ length: 10 }, (_, n) => ({
      mxcUri: n % 3 === 0 ? 'mxc://example.org/gone' : peer.keep(`file ${n}`),
      filename: `${n}.txt`,
      mimetype: 'text/plain',
    }));
    const files = await oracle.filesFor(attachments);
    expect(files.map((file) => (file.kind === 'text' ? file.text : file.kind))).toEqual(
      attachments.map((_, n) => (n % 3 === 0 ? 'unread' : `file ${n}`)),
    );
    expect((await oracle.send({ message: 'a', attachments: [...attachments, attachments[0]] })).statusCode).toBe(400);
  });

  it('are read by one homeserver request each, independent of the number of steps', async () => {
    const mxcUri = peer.keep('once');
    const attachments = [{ mxcUri, filename: 'once.txt', mimetype: 'text/plain' }];
    await oracle.send({ message: 'use the tool read_attachment with {"filename":"once.txt"}', attachments });
    expect(peer.seen).toHaveLength(1);
    expect(oracle.requests.at(-1)?.messages.find(({ role }) => role === 'tool')?.content).toContain('once');
  });
});

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
