import { gzipSync } from 'node:zlib';
import { createLogger } from '@mlango/service-kit/logging';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { attachmentsOracle } from './attachments-oracle.fixture.js';
import { MatrixPeer } from './matrix-peer.fixture.js';

describe('a file that cannot be read', () => {
  const peer = new MatrixPeer();
  const other = new MatrixPeer();
  let oracle: Awaited<ReturnType<typeof attachmentsOracle>>;
  const opened: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    await peer.listen();
    await other.listen();
    oracle = await attachmentsOracle(peer, { env: { ATTACHMENT_MAX_BYTES: '2000' } });
  });
  beforeEach(() => {
    peer.seen.length = 0;
    other.seen.length = 0;
  });
  afterAll(async () => {
    for (const one of opened) await one.close();
    await oracle.close();
    await peer.close();
    await other.close();
  });
  const oracleWith = async (...args: Parameters<typeof attachmentsOracle>) => {
    const one = await attachmentsOracle(...args);
    opened.push(one);
    return one;
  };

  it('is reported with the reason, and the turn continues', async () => {
    const attachments = [{ mxcUri: 'mxc://example.org/gone', filename: 'gone.txt', mimetype: 'text/plain' }];
    const reply = await oracle.send({ message: 'What about this', attachments });
    expect(reply.json().message.content).toBe('I could not read gone.txt: it does not exist, or no longer exists.');
    const streamed = await oracle.send({ message: 'What about this', attachments, stream: true });
    expect(streamed.body).toContain('"status":"finished"');
    expect(oracle.deps.plugins.status().find(({ name }) => name === 'attachments')?.failures).toBe(0);
  });

  it.each([
    ['without a token', { 'x-matrix-access-token': '' }, 'no Matrix access token'],
    ['with a token that has expired', { 'x-matrix-access-token': 'syt_old' }, 'may have expired'],
    ['without a homeserver', { 'x-matrix-homeserver': '' }, 'did not name its Matrix homeserver'],
    [
      'of a homeserver that is not configured',
      { 'x-matrix-homeserver': 'matrix.example.org' },
      'in MATRIX_HOMESERVERS',
    ],
    ['of an invalid homeserver', { 'x-matrix-homeserver': 'http://' }, 'in MATRIX_HOMESERVERS'],
  ])('may be sent %s', async (_, headers, reason) => {
    const mxcUri = peer.keep('x');
    expect(await oracle.problemOf({ mxcUri }, {}, { ...oracle.matrix, ...headers })).toContain(reason);
  });

  it('is any file if no homeserver is configured, and the token is not sent', async () => {
    const closed = await oracleWith(peer, { env: { MATRIX_HOMESERVERS: '' } });
    expect(await closed.problemOf({ mxcUri: peer.keep('x') })).toContain(
      'must list the homeserver in MATRIX_HOMESERVERS',
    );
    expect(peer.seen).toEqual([]);
  });

  it('is any file of a homeserver with plain HTTP or in a private network, unless it is listed as a private host', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ service: 'test', level: 'warn', destination });
    const guarded = await oracleWith(peer, { way: { privateHosts: [] }, logger });
    const { connections } = peer;
    expect(await guarded.problemOf({ mxcUri: peer.keep('x') })).toContain('does not call');
    expect(peer.connections).toBe(connections);
    expect(lines.join('')).toContain('see PRIVATE_HOSTS');
  });

  it.each([
    ['mxc://example.org', 'is invalid'],
    ['mxc://example.org/../../../_synapse/admin', 'is invalid'],
    ['mxc://example.org/a%2F..%2Fb', 'is invalid'],
    ['mxc://user@example.org/abc', 'is invalid'],
    ['mxc://example.org/abc?x=1', 'is invalid'],
    ['https://files.example/a.txt', 'in ATTACHMENT_HOSTS'],
    ['http://files.example/a.txt', 'in ATTACHMENT_HOSTS'],
    ['https://', 'is invalid'],
    ['https://files.example/%E0%A4%A', 'in ATTACHMENT_HOSTS'],
  ])('may have the address %s', async (mxcUri, reason) => {
    expect(await oracle.problemOf({ mxcUri })).toContain(reason);
    expect(peer.seen).toEqual([]);
  });

  it('may be an event: of no room, absent, without a file, encrypted, or with a file that was changed', async () => {
    const metadata = { roomId: peer.roomId };
    const eventId = peer.addEvent({ msgtype: 'm.text', body: 'hi' });
    expect(await oracle.problemOf({ eventId })).toContain('did not name the room');
    expect(await oracle.problemOf({ eventId }, { metadata: { roomId: 'no room' } })).toContain('did not name the room');
    expect(await oracle.problemOf({ eventId }, { metadata })).toContain('has no file');
    const web = peer.addEvent({ msgtype: 'm.file', url: `${other.origin}/a.txt` });
    expect(await oracle.problemOf({ eventId: web }, { metadata })).toContain('is invalid');
    expect(await oracle.problemOf({ eventId: '$gone' }, { metadata })).toContain('does not exist');
    const encrypted = peer.addEvent({ algorithm: 'm.megolm.v1.aes-sha2' }, 'm.room.encrypted');
    expect(await oracle.problemOf({ eventId: encrypted }, { metadata })).toContain('has no key for it');
    const file = { ...peer.keepEncrypted('first'), url: peer.keepEncrypted('second').url };
    expect(await oracle.problemOf({ eventId: peer.addEvent({ file }) }, { metadata })).toContain('was modified');
    const broken = { ...peer.keepEncrypted('third'), key: { kty: 'oct', alg: 'A256CTR', k: 'short' } };
    expect(await oracle.problemOf({ eventId: peer.addEvent({ file: broken }) }, { metadata })).toContain('damaged');
  });

  it('may be too large: as declared, by the server’s header, or by its bytes', async () => {
    const large = 'x'.repeat(3_000);
    expect(await oracle.problemOf({ mxcUri: peer.keep('x'), size: 3_000 })).toContain('larger');
    expect(peer.seen).toEqual([]);
    expect(await oracle.problemOf({ mxcUri: peer.keep(large) })).toContain('larger');
    const endless = peer.answering((_, reply) => {
      reply.hijack();
      reply.raw.writeHead(200);
      const write = () => {
        while (!reply.raw.destroyed && reply.raw.write(large));
        if (!reply.raw.destroyed) reply.raw.once('drain', write);
      };
      write();
    });
    expect(await oracle.problemOf({ mxcUri: endless })).toContain('larger');
    expect(await oracle.problemOf({ mxcUri: peer.answering((_, reply) => reply.code(413).send()) })).toContain(
      'larger',
    );
  });

  it('may be compressed, and is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    const packed = peer.answering((request, reply) => {
      expect(request.headers['accept-encoding']).toBe('identity');
      return reply.header('content-encoding', 'gzip').send(bomb);
    });
    expect(bomb.length).toBeLessThan(2_000);
    expect(await oracle.problemOf({ mxcUri: packed })).toContain('compressed');
  });

  it('may never arrive, or never end', async () => {
    const silent = peer.answering((_, reply) => void reply.hijack());
    const slow = peer.answering((_, reply) => {
      reply.hijack();
      reply.raw.writeHead(200).write('a');
    });
    const impatient = await oracleWith(peer, { env: { ATTACHMENT_TIMEOUT_MS: '400' } });
    for (const mxcUri of [silent, slow]) expect(await impatient.problemOf({ mxcUri })).toContain('took too long');
  });

  it('is abandoned when the turn is stopped', async () => {
    const patient = await oracleWith(peer, { env: { ATTACHMENT_TIMEOUT_MS: '9000' } });
    let isOpen = false;
    const silent = peer.answering((request, reply) => {
      isOpen = true;
      request.raw.socket.once('close', () => {
        isOpen = false;
      });
      reply.hijack();
    });
    const attachments = [{ mxcUri: silent, filename: 'a.txt', mimetype: 'text/plain' }];
    const sent = patient.send({ message: 'hi', attachments });
    await expect.poll(() => isOpen, { timeout: 5_000 }).toBe(true);
    const { app, own, session } = patient;
    const stop = { method: 'POST', url: '/messages/abort', headers: own, payload: { sessionId: session } } as const;
    expect((await app.inject(stop)).json()).toEqual({ success: true });
    expect((await sent).headers['x-run-status']).toBe('aborted');
    await expect.poll(() => isOpen, { timeout: 5_000 }).toBe(false);
  });

  it('may be of an unsupported type', async () => {
    const zip = peer.keep(Buffer.from('PK\x03\x04\x00\x00', 'latin1'), 'text/plain');
    expect(await oracle.problemOf({ mxcUri: zip })).toContain('neither text');
    expect(await oracle.problemOf({ mxcUri: peer.keep(Buffer.from([0xff, 0xfe, 0x41])) })).toContain('neither text');
    const onlyText = await oracleWith(peer, { env: { ATTACHMENT_TYPES: 'text' } });
    expect(await onlyText.problemOf({ mxcUri: peer.keep('%PDF-1.4') })).toContain('does not read files of that kind');
    const image = { mxcUri: peer.keep('\x89PNG'), mimetype: 'image/png' };
    peer.seen.length = 0;
    expect(await onlyText.problemOf(image)).toContain('does not read files of that kind');
    expect(peer.seen).toEqual([]);
  });

  it('is an image for a model without vision, and is not requested', async () => {
    const blind = await oracleWith(peer, { seesImages: false });
    const png = peer.keep(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    expect(await blind.problemOf({ mxcUri: png, mimetype: 'image/png' })).toContain('cannot look at images');
    expect(peer.seen).toEqual([]);
    expect(await blind.problemOf({ mxcUri: png, mimetype: 'text/plain' })).toContain('cannot look at images');
  });

  it.each([500, 502, 204, 206])('is one for which the server answers %i', async (status) => {
    const mxcUri = peer.answering((_, reply) => reply.code(status).send());
    expect(await oracle.problemOf({ mxcUri })).toContain('could not be reached');
  });

  it('may be redirected: within the homeserver it is followed, otherwise only to a configured host and without the token', async () => {
    const moved = (to: string) => peer.answering((_, reply) => reply.redirect(to, 307));
    const here = peer.keep('here').slice(6);
    expect(await oracle.textOf({ mxcUri: moved(`/_matrix/client/v1/media/download/${here}`) })).toBe('here');
    expect(peer.seen.map(({ authorization }) => authorization)).toEqual([
      `Bearer ${peer.token}`,
      `Bearer ${peer.token}`,
    ]);
    other.isOld = true;
    const there = `${other.origin}/_matrix/media/v3/download/${other.keep('there').slice(6)}`;
    expect(await oracle.problemOf({ mxcUri: moved(there) })).toContain('may not read from');
    expect(other.connections).toBe(0);
    const open = await oracleWith(peer, { env: { ATTACHMENT_HOSTS: other.origin.slice(7) } });
    expect(await open.textOf({ mxcUri: moved(there) })).toBe('there');
    expect(await open.textOf({ mxcUri: there })).toBe('there');
    expect(other.seen.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
    const circle: string = peer.answering((request, reply) => reply.redirect(request.url, 302));
    expect(await oracle.problemOf({ mxcUri: circle })).toContain('may not read from');
    expect(await oracle.problemOf({ mxcUri: moved('file:///etc/passwd') })).toContain('is invalid');
  });
});
