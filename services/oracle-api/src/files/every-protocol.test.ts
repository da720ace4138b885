import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { smallPdf } from '../plugins/attachments/small-pdf.fixture.js';
import { protocolNames } from '../protocols/names.js';
import { dataUrl, type FilesOracle, filesOracle, png, shapesOf, wav } from './files-oracle.fixture.js';

type Part = Readonly<Record<string, unknown>>;

/** One protocol: how a message with parts is sent, and how a part of each kind is written. */
interface Protocol {
  send(oracle: FilesOracle, parts: readonly Part[]): Promise<{ status: number; text: string }>;
  readonly text: (text: string) => Part;
  /** Undefined if the protocol has no form for it. */
  readonly file?: (bytes: Buffer, type: string) => Part;
  readonly image?: (bytes: Buffer, type: string) => Part;
  readonly audio?: (bytes: Buffer, type: string) => Part;
  readonly url: (url: string) => Part;
  /** A base64 field with this text. */
  readonly broken: (text: string) => Part;
  /** Place of the second part of the message, of its field with bytes, and of its address. */
  readonly bytesPlace: string;
  readonly urlPlace: string;
  readonly partPlace: string;
}

const jsonRpc = (params: object) => ({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params });

const protocols: Readonly<Record<string, Protocol>> = {
  'AI SDK': {
    send: (oracle, parts) =>
      oracle.post('/api/chat', { id: randomUUID(), messages: [{ id: '1', role: 'user', parts }] }),
    text: (text) => ({ type: 'text', text }),
    file: (bytes, mediaType) => ({ type: 'file', mediaType, url: dataUrl(bytes, mediaType) }),
    url: (url) => ({ type: 'file', mediaType: 'image/png', url }),
    broken: (text) => ({ type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${text}` }),
    bytesPlace: 'messages[0].parts[1].url',
    urlPlace: 'messages[0].parts[1].url',
    partPlace: 'messages[0].parts[1]',
  },
  'AG-UI 1.0': {
    send: (oracle, parts) => oracle.post('/ag-ui', agUiInput(parts)),
    text: (text) => ({ type: 'text', text }),
    file: (bytes, mimeType) => ({
      type: 'document',
      source: { type: 'data', value: bytes.toString('base64'), mimeType },
    }),
    image: (bytes, mimeType) => ({
      type: 'image',
      source: { type: 'data', value: bytes.toString('base64'), mimeType },
    }),
    audio: (bytes, mimeType) => ({
      type: 'audio',
      source: { type: 'data', value: bytes.toString('base64'), mimeType },
    }),
    url: (value) => ({ type: 'image', source: { type: 'url', value } }),
    broken: (value) => ({ type: 'image', source: { type: 'data', value, mimeType: 'image/png' } }),
    bytesPlace: 'messages[0].content[1].source.value',
    urlPlace: 'messages[0].content[1].source.value',
    partPlace: 'messages[0].content[1]',
  },
  'AG-UI binary': {
    send: (oracle, parts) => oracle.post('/ag-ui', agUiInput(parts)),
    text: (text) => ({ type: 'text', text }),
    file: (bytes, mimeType) => ({ type: 'binary', mimeType, data: bytes.toString('base64') }),
    url: (url) => ({ type: 'binary', mimeType: 'image/png', url }),
    broken: (data) => ({ type: 'binary', mimeType: 'image/png', data }),
    bytesPlace: 'messages[0].content[1].data',
    urlPlace: 'messages[0].content[1].url',
    partPlace: 'messages[0].content[1]',
  },
  A2A: {
    send: (oracle, parts) =>
      oracle.post('/a2a', jsonRpc({ message: { role: 'ROLE_USER', messageId: randomUUID(), parts } })),
    text: (text) => ({ text }),
    file: (bytes, mediaType) => ({ raw: bytes.toString('base64'), mediaType }),
    url: (url) => ({ url, mediaType: 'image/png' }),
    broken: (raw) => ({ raw, mediaType: 'image/png' }),
    bytesPlace: 'message.parts[1].raw',
    urlPlace: 'message.parts[1].url',
    partPlace: 'message.parts[1]',
  },
  'chat completions': chatCompletions(),
  'chat completions in a session': chatCompletions(async (oracle) => {
    const { sessionId } = await oracle.own<{ sessionId: string }>('a', '/sessions', 'POST');
    return { 'x-session-id': sessionId };
  }),
  responses: responses({}),
  'responses without a store': responses({ store: false }),
};

function agUiInput(content: readonly Part[]) {
  const messages = [{ id: '1', role: 'user', content }];
  return {
    threadId: randomUUID(),
    runId: randomUUID(),
    messages,
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  };
}

function chatCompletions(headersOf?: (oracle: FilesOracle) => Promise<Record<string, string>>): Protocol {
  return {
    send: async (oracle, content) =>
      oracle.post('/v1/chat/completions', { messages: [{ role: 'user', content }] }, await headersOf?.(oracle)),
    text: (text) => ({ type: 'text', text }),
    image: (bytes, type) => ({ type: 'image_url', image_url: { url: dataUrl(bytes, type) } }),
    file: (bytes, type) => ({ type: 'file', file: { filename: 'it', file_data: dataUrl(bytes, type) } }),
    audio: (bytes, type) => ({
      type: 'input_audio',
      input_audio: { data: bytes.toString('base64'), format: type.split('/')[1] },
    }),
    url: (url) => ({ type: 'image_url', image_url: { url } }),
    broken: (text) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${text}` } }),
    bytesPlace: 'messages[0].content[1].image_url',
    urlPlace: 'messages[0].content[1].image_url',
    partPlace: 'messages[0].content[1]',
  };
}

function responses(fields: object): Protocol {
  return {
    send: (oracle, content) => oracle.post('/v1/responses', { input: [{ role: 'user', content }], ...fields }),
    text: (text) => ({ type: 'input_text', text }),
    image: (bytes, type) => ({ type: 'input_image', image_url: dataUrl(bytes, type) }),
    file: (bytes, type) => ({ type: 'input_file', filename: 'it', file_data: dataUrl(bytes, type) }),
    audio: (bytes, type) => ({
      type: 'input_audio',
      input_audio: { data: bytes.toString('base64'), format: type.split('/')[1] },
    }),
    url: (url) => ({ type: 'input_image', image_url: url }),
    broken: (text) => ({ type: 'input_image', image_url: `data:image/png;base64,${text}` }),
    bytesPlace: 'input[0].content[1].image_url',
    urlPlace: 'input[0].content[1].image_url',
    partPlace: 'input[0].content[1]',
  };
}

/** Status and text of a refusal; A2A answers errors of its methods with HTTP 200. */
function refusalOf({ status, text }: { status: number; text: string }) {
  const body = JSON.parse(text) as { message?: string; error?: { message?: string; code?: number } | string };
  const message = typeof body.error === 'object' ? body.error.message : body.message;
  return { isRefused: status === 400 || (status === 200 && typeof body.error === 'object'), message };
}

const each = Object.entries(protocols);

/** How parts of each kind are written; pictures and sound without their own form are files. */
function formsOf({ text, file, image = file, audio = file }: Protocol) {
  return { text, file, image, audio };
}

/** Sends a text and a part. */
const sendPart = (oracle: FilesOracle, protocol: Protocol, part: Part) =>
  protocol.send(oracle, [protocol.text('Have a look'), part]);

/** An oracle for the tests of a group. Each test sees the requests since it began. */
function sharedOracle(options: Parameters<typeof filesOracle>[1] = {}) {
  let oracle: FilesOracle;
  beforeAll(async () => {
    oracle = await filesOracle('openai', { ...options, app: { protocols: [...protocolNames] } });
  });
  beforeEach(() => {
    oracle.requests.length = 0;
  });
  afterAll(() => oracle.close());
  return () => oracle;
}

describe('files', () => {
  const opened = sharedOracle();

  it.each(each)('%s: bring images, PDFs and texts to the model, as attachments of the message', async (_, protocol) => {
    const { image, file } = formsOf(protocol);
    const oracle = opened();
    for (const [part, expected] of [
      [image?.(png, 'image/png'), ['image', 'image/png', png.toString('base64')]],
      [file?.(smallPdf('Zuri has four legs'), 'application/pdf'), ['text']],
      [file?.(Buffer.from('a,b'), 'text/csv'), ['text']],
    ] as const) {
      const reply = await sendPart(oracle, protocol, part ?? {});
      expect(reply.status, reply.text).toBe(200);
      expect(shapesOf(oracle.received().last)).toEqual([expected]);
      expect(oracle.requests.at(-1)?.messages.at(-1)?.content).toBe('Have a look');
    }
  });

  it.each(each)('%s: take a message without text', async (_, protocol) => {
    const { image } = formsOf(protocol);
    const oracle = opened();
    const reply = await protocol.send(oracle, [image?.(png, 'image/png') ?? {}]);
    expect(reply.status, reply.text).toBe(200);
    expect(shapesOf(oracle.received().last)).toEqual([['image', 'image/png', png.toString('base64')]]);
  });

  it.each(each)(
    '%s: are refused with their place if they are invalid base64, of another type, unreadable, or unknown',
    async (_, protocol) => {
      const { broken } = protocol;
      const oracle = opened();
      for (const [part, place, why] of [
        [broken('not base64!'), protocol.bytesPlace, 'must be base64'],
        [broken('AAAAA'), protocol.bytesPlace, 'must be base64'],
        [
          broken(smallPdf('x').toString('base64')),
          protocol.bytesPlace,
          'is declared as image/png, but its content is application/pdf',
        ],
        [broken('AAECAw=='), protocol.bytesPlace, 'this oracle does not read files of that kind'],
        [{ type: 'hologram' }, protocol.partPlace, ''],
        [{ type: 'constructor' }, protocol.partPlace, ''],
      ] as const) {
        const refused = refusalOf(await sendPart(oracle, protocol, part));
        expect(refused).toMatchObject({ isRefused: true });
        expect(refused.message).toContain(`${place}: `);
        expect(refused.message).toContain(why);
      }
      expect(oracle.requests).toEqual([]);
    },
  );
});

describe('files for a model that hears', () => {
  const opened = sharedOracle({ hearsAudio: true });

  it.each(each)('%s: bring sound to a model that accepts it', async (_, protocol) => {
    const { audio } = formsOf(protocol);
    const oracle = opened();
    const reply = await sendPart(oracle, protocol, audio?.(wav, 'audio/wav') ?? {});
    expect(reply.status, reply.text).toBe(200);
    expect(shapesOf(oracle.received().last)).toEqual([['audio', 'audio/wav', wav.toString('base64')]]);
  });
});

describe('files for a model that sees no images', () => {
  const opened = sharedOracle({ seesImages: false });

  it.each(each)('%s: are refused with their place if the model does not accept them', async (_, protocol) => {
    const { image, audio } = formsOf(protocol);
    const oracle = opened();
    const refused = refusalOf(await sendPart(oracle, protocol, image?.(png, 'image/png') ?? {}));
    expect(refused).toMatchObject({ isRefused: true });
    expect(refused.message).toContain(`${protocol.bytesPlace}: the model local cannot look at images`);
    const refusedAudio = refusalOf(await sendPart(oracle, protocol, audio?.(wav, 'audio/wav') ?? {}));
    expect(refusedAudio.message).toMatch(/\[1\].*: the model local does not accept audio\/wav, and this oracle has no/);
    expect(oracle.requests).toEqual([]);
  });
});

describe('files at addresses', () => {
  const opened = sharedOracle({ env: { ATTACHMENT_HOSTS: 'media.example' } });

  it.each(each)('%s: are refused with place and remedy, unless the host is configured', async (_, protocol) => {
    const oracle = opened();
    const refused = refusalOf(await sendPart(oracle, protocol, protocol.url('https://10.0.0.1/picture.png')));
    expect(refused).toMatchObject({ isRefused: true });
    expect(refused.message).toContain(`${protocol.urlPlace}: files at 10.0.0.1 are not read: send the bytes`);
    expect(refused.message).toContain('ATTACHMENT_HOSTS');
    expect((await sendPart(oracle, protocol, protocol.url('https://media.example/picture.png'))).status).toBe(200);
    expect(oracle.received().last).toMatchObject([{ kind: 'unread', filename: 'picture.png' }]);
  });
});

describe('files within small limits', () => {
  const opened = sharedOracle({ env: { ATTACHMENT_MAX_BYTES: '2000', ATTACHMENT_REQUEST_BYTES: '3000' } });

  it.each(each)('%s: are limited: bytes of one, bytes of all, and number', async (_, protocol) => {
    const { text, image } = formsOf(protocol);
    const oracle = opened();
    const picture = (bytes: number) =>
      image?.(Buffer.concat([png, Buffer.alloc(bytes - png.length)]), 'image/png') ?? {};
    const refusal = async (parts: readonly Part[]) => refusalOf(await protocol.send(oracle, parts)).message;
    expect(await refusal([text('a'), picture(2_001)])).toContain(
      `${protocol.bytesPlace}: a file has at most 2000 bytes`,
    );
    expect(await refusal([picture(2_000), picture(1_001)])).toContain(
      `${protocol.bytesPlace}: the files of a request have at most 3000 bytes`,
    );
    const many = Array.from({ length: 11 }, () => picture(100));
    expect(await refusal(many)).toContain('a message has at most 10 files');
    expect(oracle.requests).toEqual([]);
  });
});

describe('files for an oracle without attachments', () => {
  const opened = sharedOracle({ isOff: true });

  it.each(each)('%s: are refused with their place if the oracle accepts none', async (_, protocol) => {
    const { image } = formsOf(protocol);
    const refused = refusalOf(await sendPart(opened(), protocol, image?.(png, 'image/png') ?? {}));
    expect(refused).toMatchObject({ isRefused: true });
    expect(refused.message).toContain(`${protocol.bytesPlace}: this oracle accepts no files`);
  });
});
