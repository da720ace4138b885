import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestOracle, type TestOracle } from '../../../create-test-oracle.js';

const recording = Buffer.from(`OggS${'\0'.repeat(24)}OpusHead`, 'latin1');

describe('a voice recording', () => {
  let server: Server;
  /** An oracle without a transcription endpoint. */
  let plain: TestOracle;
  let listening: TestOracle;
  let answer: { status: number; body: string };
  const asked: { path: string | undefined; authorization: string | undefined; form: FormData }[] = [];

  beforeAll(async () => {
    server = createServer((request, reply) => {
      void buffer(request).then(async (bytes) => {
        const type = request.headers['content-type'] ?? '';
        const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
        asked.push({ path: request.url, authorization: request.headers.authorization, form });
        reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    plain = await createTestOracle();
    listening = await createTestOracle({
      env: { TRANSCRIPTION_BASE_URL: url, TRANSCRIPTION_MODEL: 'ear', TRANSCRIPTION_API_KEY: 'sk-1' },
    });
  });
  afterAll(async () => {
    await plain.close();
    await listening.close();
    server.close();
  });

  /** Returns the built-in model's answer to a message with the recording. */
  async function answerOf(oracle: TestOracle): Promise<string> {
    const user = await oracle.newUser();
    const sessionId = await user.openSession();
    const { headers } = user;
    const uploaded = await oracle.inject({
      method: 'POST',
      url: '/attachments',
      query: { sessionId, filename: 'voice.ogg' },
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      payload: recording,
    });
    expect(uploaded.json()).toMatchObject({ mimetype: 'audio/ogg', size: recording.length });
    const payload = { message: 'Voice message', attachments: [uploaded.json()] };
    const reply = await oracle.inject({ method: 'POST', url: `/messages/${sessionId}`, headers, payload });
    return reply.json().message.content;
  }

  it('is stored without an endpoint, and the model is informed that transcription is off', async () => {
    expect(await answerOf(plain)).toContain('this oracle is not set up to listen');
  });

  it('is transcribed by the configured endpoint, under a name that contains only its format', async () => {
    answer = { status: 200, body: JSON.stringify({ text: ' How is Zuri? ' }) };
    expect(await answerOf(listening)).toBe('In voice.ogg I hear: How is Zuri?');
    const { path, authorization, form } = asked.at(-1) ?? {};
    expect([path, authorization, form?.get('model')]).toEqual(['/v1/audio/transcriptions', 'Bearer sk-1', 'ear']);
    const file = form?.get('file') as File;
    expect([file.name, file.type, Buffer.from(await file.arrayBuffer())]).toEqual([
      'recording.ogg',
      'audio/ogg',
      recording,
    ]);
  });

  it.each([
    ['refuses', 500, '{"error":"sk-1 has no credit"}', 'transcription failed'],
    ['returns an invalid reply', 200, '{}', 'transcription failed'],
    ['returns an empty text', 200, '{"text":" "}', 'no speech'],
  ])(
    "is not transcribed when the endpoint %s, and the endpoint's error stays out of the answer",
    async (_what, status, body, why) => {
      answer = { status, body };
      const told = await answerOf(listening);
      expect(told).toContain(why);
      expect(told).not.toContain('sk-1');
    },
  );
});
