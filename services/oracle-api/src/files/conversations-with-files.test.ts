import { describe, expect, it } from 'vitest';
import { dataUrl, type FilesOracle, filesOracle, png, shapesOf } from './files-oracle.fixture.js';

const picture = (mark = 0) => Buffer.concat([png, Buffer.from([mark])]);
const shape = (mark = 0) => ['image', 'image/png', picture(mark).toString('base64')];
const image = (mark = 0) => ({ type: 'image_url', image_url: { url: dataUrl(picture(mark), 'image/png') } });
const inputImage = (mark = 0) => ({ type: 'input_image', image_url: dataUrl(picture(mark), 'image/png') });

async function inSession(oracle: FilesOracle, user = 'a') {
  const { sessionId } = await oracle.own<{ sessionId: string }>(user, '/sessions', 'POST');
  const ask = (content: unknown) =>
    oracle.post('/v1/chat/completions', { messages: [{ role: 'user', content }] }, { 'x-session-id': sessionId }, user);
  return { sessionId, ask };
}

async function upload(oracle: FilesOracle, sessionId: string, user = 'a') {
  const reply = await fetch(`${oracle.base}/attachments?sessionId=${sessionId}&filename=goat.png`, {
    method: 'POST',
    headers: { ...(await oracle.headersOf(user)), 'content-type': 'image/png' },
    body: new Uint8Array(png),
  });
  return ((await reply.json()) as { attachmentId: string }).attachmentId;
}

describe('images of earlier messages', () => {
  it('reach the model again, the newest ones up to the limits of the settings, and all others by name', async () => {
    const oracle = await filesOracle('openai', { env: { ATTACHMENT_HISTORY_IMAGES: '2' } });
    const { ask } = await inSession(oracle);
    for (const mark of [1, 2, 3]) await ask([{ type: 'text', text: `Number ${mark}` }, image(mark)]);
    await ask('And now?');
    expect(shapesOf(oracle.received().all)).toEqual([['named'], shape(2), shape(3)]);
  });

  it('are limited in bytes', async () => {
    const oracle = await filesOracle('openai', { env: { ATTACHMENT_HISTORY_BYTES: String(picture().length) } });
    const { ask } = await inSession(oracle);
    for (const mark of [1, 2]) await ask([{ type: 'text', text: 'Look' }, image(mark)]);
    await ask('And now?');
    expect(shapesOf(oracle.received().all)).toEqual([['named'], shape(2)]);
  });

  it('are named to a model that accepts no images', async () => {
    const oracle = await filesOracle('openai', { seesImages: false });
    const { sessionId, ask } = await inSession(oracle);
    const attachmentId = await upload(oracle, sessionId);
    const attachments = [{ attachmentId, filename: 'goat.png', mimetype: 'image/png' }];
    await oracle.own('a', `/messages/${sessionId}`, 'POST', { message: 'Look', attachments });
    expect(oracle.received().last).toMatchObject([{ kind: 'unread', filename: 'goat.png' }]);
    await ask('And now?');
    expect(oracle.received().all).toEqual([{ kind: 'named', filename: 'goat.png', mediaType: 'image/png' }]);
  });

  it('of a whole conversation all reach the model, also if the conversation is not stored', async () => {
    const oracle = await filesOracle('openai', { env: { ATTACHMENT_HISTORY_IMAGES: '0' } });
    const messages = (content: (mark: number) => unknown) => [
      { role: 'user', content: [content(1)] },
      { role: 'assistant', content: 'A goat.' },
      { role: 'user', content: [content(2)] },
    ];
    const stateless = await oracle.post('/v1/chat/completions', { messages: messages(image) });
    expect(stateless.status, stateless.text).toBe(200);
    expect(shapesOf(oracle.received().all)).toEqual([shape(1), shape(2)]);
    await oracle.post('/v1/responses', { input: messages(inputImage), store: false });
    expect(shapesOf(oracle.received().all)).toEqual([shape(1), shape(2)]);
    const bytes = oracle.deps.poolList.find(({ name }) => name === 'attachments_file_bytes');
    await expect.poll(() => bytes?.taken).toBe(0);
    const { sessions } = await oracle.own<{ sessions: unknown[] }>('a', '/sessions?archived=true');
    expect(sessions).toEqual([]);
  });

  it('of a stored response belong to its conversation', async () => {
    const oracle = await filesOracle('openai');
    const input = [{ role: 'user', content: [{ type: 'input_text', text: 'Look' }, inputImage(1)] }];
    const first = JSON.parse((await oracle.post('/v1/responses', { input })).text) as {
      id: string;
      conversation: { id: string };
    };
    const more = [
      { role: 'user', content: [inputImage(2)] },
      { role: 'user', content: 'And now?' },
    ];
    await oracle.post('/v1/responses', { input: more, previous_response_id: first.id });
    expect(shapesOf(oracle.received().all)).toEqual([shape(1), shape(2)]);
    expect(oracle.requests.at(-1)?.messages.at(-1)?.content).toBe('And now?');
    const items = await oracle.own<{ data: { role: string; content: object[] }[] }>(
      'a',
      `/v1/conversations/${first.conversation.id}/items`,
    );
    expect(items.data.findLast(({ role }) => role === 'user')?.content).toMatchObject([
      { type: 'input_text', text: 'Look' },
      { type: 'input_image', file_id: expect.any(String), image_url: null },
    ]);
  });
});

describe('files of a message', () => {
  it('stay with it when it is answered again, and when it is edited', async () => {
    const oracle = await filesOracle('ai-sdk');
    const file = { type: 'file', mediaType: 'image/png', filename: 'goat.png', url: dataUrl(picture(1), 'image/png') };
    const question = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'Look' }, file] };
    const chat = { id: 'chat-1', messages: [question] };
    await oracle.post('/api/chat', chat);
    await oracle.post('/api/chat', { ...chat, trigger: 'regenerate-message' });
    expect(shapesOf(oracle.received().all)).toEqual([shape(1)]);
    const edited = { ...question, parts: [{ type: 'text', text: 'Look here' }, file] };
    await oracle.post('/api/chat', { ...chat, messages: [edited], messageId: 'q' });
    expect(shapesOf(oracle.received().all)).toEqual([shape(1)]);
    expect(oracle.requests).toHaveLength(3);
  });

  it('are attachments of their session, readable by their owner only', async () => {
    const oracle = await filesOracle('openai');
    const { sessionId, ask } = await inSession(oracle);
    await ask([{ type: 'text', text: 'Look' }, image(1)]);
    const [question] = await oracle.listed('a', sessionId);
    expect(question).toMatchObject({ content: 'Look', attachments: [{ filename: 'file.png', mimetype: 'image/png' }] });
    const { attachments } = question as unknown as { attachments: { attachmentId: string }[] };
    const read = async (user: string) =>
      fetch(`${oracle.base}/attachments/${attachments[0]?.attachmentId}`, { headers: await oracle.headersOf(user) });
    expect(Buffer.from(await (await read('a')).arrayBuffer()).equals(picture(1))).toBe(true);
    expect((await read('b')).status).toBe(404);
  });

  it('may be uploads of this session only', async () => {
    const oracle = await filesOracle('openai');
    const [mine, other, theirs] = [await inSession(oracle), await inSession(oracle), await inSession(oracle, 'b')];
    const part = (id: string) => ({ type: 'file', file: { file_id: id } });
    const reply = await mine.ask([{ type: 'text', text: 'Look' }, part(await upload(oracle, mine.sessionId))]);
    expect(reply.status, reply.text).toBe(200);
    expect(shapesOf(oracle.received().last)).toEqual([['image', 'image/png', png.toString('base64')]]);
    const ids = [await upload(oracle, other.sessionId), await upload(oracle, theirs.sessionId, 'b'), 'unknown'];
    for (const id of ids) {
      const refused = JSON.parse((await mine.ask([part(id)])).text) as { error: { message: string; param: string } };
      expect(refused.error.param).toBe('messages[0].content[0].file.file_id');
      expect(refused.error.message).toContain('there is no such file in this session');
    }
  });

  it('are refused with their place in messages of any role but the user', async () => {
    const oracle = await filesOracle('openai');
    const refusal = async (path: string, body: object) =>
      (JSON.parse((await oracle.post(path, body)).text) as { error: { param: string; message: string } }).error;
    const call = { id: 'c', type: 'function', function: { name: 'camera', arguments: '{}' } };
    for (const [role, messages] of [
      ['system', [{ role: 'system', content: [image()] }]],
      ['assistant', [{ role: 'assistant', content: [image()] }]],
      ['tool', [{ role: 'tool', tool_call_id: 'c', content: [image()] }]],
    ] as const) {
      const all = [
        { role: 'assistant', content: null, tool_calls: [call] },
        ...messages,
        { role: 'user', content: 'x' },
      ];
      const { param, message } = await refusal('/v1/chat/completions', { messages: all });
      expect(param, role).toBe('messages[1].content[0].image_url');
      expect(message).toContain('only messages of the user may have files');
    }
    const output = { type: 'function_call_output', call_id: 'c', output: [inputImage()] };
    const input = [{ type: 'function_call', call_id: 'c', name: 'camera', arguments: '{}' }, output];
    expect((await refusal('/v1/responses', { input })).param).toBe('input[1].output[0].image_url');
  });

  it('are not stored if no turn begins', async () => {
    const env = { ATTACHMENT_USER_BYTES: String(2 * picture().length) };
    const oracle = await filesOracle('a2a', { env });
    let contextId: string | undefined;
    const send = async (messageId: string) => {
      const parts = [{ raw: picture().toString('base64') }];
      const message = { role: 'ROLE_USER', messageId, parts, ...(contextId && { contextId }) };
      const reply = await oracle.post('/a2a', { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } });
      return JSON.parse(reply.text) as { result?: { task: { contextId: string } }; error?: { message: string } };
    };
    contextId = (await send('tea-1')).result?.task.contextId;
    expect((await send('tea-1')).error?.message).toContain('requestId was used');
    expect((await send('tea-2')).error).toBeUndefined();
    expect((await send('tea-3')).error?.message).toContain('storage is full');
  });

  it('count against the daily storage limit of an address', async () => {
    const oracle = await filesOracle('openai', { app: { storageBytesPerAddress: 250_000 } });
    const { ask } = await inSession(oracle);
    const url = dataUrl(Buffer.concat([png, Buffer.alloc(130_000)]), 'image/png');
    const large = [{ type: 'image_url', image_url: { url } }];
    expect((await ask(large)).status).toBe(200);
    expect((await ask(large)).status).toBe(429);
  });

  it('are never part of texts: neither in messages nor in titles', async () => {
    const oracle = await filesOracle('openai');
    const { sessionId, ask } = await inSession(oracle);
    await ask([image()]);
    const base64 = picture().toString('base64').slice(0, 40);
    const shown = [
      await oracle.own('a', `/messages/${sessionId}`),
      await oracle.own('a', '/sessions'),
      await oracle.own('a', `/v1/conversations/${sessionId}/items`),
    ];
    expect(JSON.stringify(shown)).not.toContain(base64);
    expect(oracle.requests[0]?.messages.at(-1)?.content).toBe('Here is a file.');
  });
});

describe('a request with files', () => {
  const large = Buffer.concat([png, Buffer.alloc(3 * 1024 * 1024)]);
  const ask = (oracle: FilesOracle, bytes: Buffer) => {
    const content = [{ type: 'image_url', image_url: { url: dataUrl(bytes, 'image/png') } }];
    return oracle.post('/v1/chat/completions', { messages: [{ role: 'user', content }] });
  };

  it('may be larger than one without, and its bytes are counted while it arrives', async () => {
    const oracle = await filesOracle('openai');
    const pool = oracle.deps.poolList.find(({ name }) => name === 'attachments_upload_bytes');
    expect((await ask(oracle, large)).status).toBe(200);
    expect(oracle.received().last).toMatchObject([{ kind: 'image' }]);
    await expect.poll(() => pool?.taken).toBe(0);
    const held = ['x', 'y'].map((user) => pool?.tryAcquire({ user, address: '127.0.0.1' }, 32 * 1024 * 1024));
    expect((await ask(oracle, large)).status).toBe(429);
    for (const permit of held) if (permit !== undefined && 'release' in permit) permit.release();
    expect((await ask(oracle, large)).status).toBe(200);
  });

  it('holds its files in memory, within a share of an address, if no part of it is stored', async () => {
    const oracle = await filesOracle('openai');
    const pool = oracle.deps.poolList.find(({ name }) => name === 'attachments_file_bytes');
    const held = ['x', 'y'].map((user) => pool?.tryAcquire({ user, address: '127.0.0.1' }, 62 * 1024 * 1024));
    const refused = await ask(oracle, Buffer.concat([png, Buffer.alloc(4.5 * 1024 * 1024)]));
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('rate_limit_error')]);
    for (const permit of held) if (permit !== undefined && 'release' in permit) permit.release();
    expect((await ask(oracle, png)).status).toBe(200);
    await expect.poll(() => pool?.taken).toBe(0);
  });

  it('is limited, and to the size of any other request if the oracle accepts no files', async () => {
    const bounded = await filesOracle('openai', { env: { ATTACHMENT_REQUEST_BYTES: '100000' } });
    expect((await ask(bounded, large)).status).toBe(413);
    expect((await ask(await filesOracle('openai', { isOff: true }), large)).status).toBe(413);
  });

  it('may have no more JSON outside of its files than a small request', async () => {
    const oracle = await filesOracle('openai');
    const content = Array.from({ length: 400_000 }, () => ({ type: 'text', text: '' }));
    const reply = await oracle.post('/v1/chat/completions', { messages: [{ role: 'user', content }] });
    expect(reply.status).toBe(413);
  });
});
