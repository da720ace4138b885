import { afterEach, describe, expect, it } from 'vitest';
import { png, wav } from '../../files/files-oracle.fixture.js';
import type { ModelFile, ModelMessage, ModelRequest } from '../language-model.js';
import { sentMedia } from '../media.js';
import { type ProviderName, providerNames } from '../model-endpoints.js';
import { openProvider } from './open-provider.js';
import { sdkModel } from './sdk-model.js';
import { startStandIn } from './stand-in-endpoint.fixture.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const base64 = png.toString('base64');
const pdf = Buffer.from('%PDF-1.7\nx');
const image: ModelFile = { kind: 'image', filename: 'goat.png', mediaType: 'image/png', bytes: png };
const document: ModelFile = { kind: 'pdf', filename: 'notes.pdf', mediaType: 'application/pdf', bytes: pdf };
const sound: ModelFile = { kind: 'audio', filename: 'bleat.wav', mediaType: 'audio/wav', bytes: wav };

/** The body of the request that an endpoint of a provider receives. */
async function sentTo(
  provider: ProviderName,
  messages: readonly ModelMessage[],
  accepts = { seesImages: true, readsPdfs: true, hearsAudio: true },
) {
  // The reply is irrelevant here.
  const server = await startStandIn((response) => void response.writeHead(400).end('{}'));
  closers.push(server.close);
  const model = sdkModel({
    id: 'm',
    provider,
    contextTokens: 8_000,
    answerTokens: 500,
    ...accepts,
    model: await openProvider({ provider, model: 'm', baseUrl: server.baseUrl, apiKey: 'sk-secret-0123456789' }),
  });
  const tools = [{ name: 'camera', description: 'Takes a picture', schema: {} }];
  const request: ModelRequest = { messages, tools, oracleName: 'Jua', now: new Date(0) };
  const read = async () => {
    for await (const _ of model.stream(request, new AbortController().signal));
  };
  await expect(read()).rejects.toThrow();
  return JSON.stringify(server.requests[0]?.body);
}

const files = { image, pdf: document, audio: sound };

describe.each(providerNames)('files for a model of %s', (provider) => {
  it.each(sentMedia[provider])('are sent unchanged: %s', async (kind) => {
    const file = files[kind];
    const body = await sentTo(provider, [{ role: 'user', content: 'Look', files: [file] }]);
    expect(body).toContain('bytes' in file && Buffer.from(file.bytes).toString('base64'));
    expect(body).toContain(file.filename);
  });

  it('are sent unchanged: an image that a tool has returned', async () => {
    const body = await sentTo(provider, [
      { role: 'user', content: 'Look' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'camera', args: {} }] },
      { role: 'tool', toolCallId: 'c1', content: '"[image/png: goat.png]"', files: [image] },
    ]);
    expect(body.split(base64)).toHaveLength(2);
    // Must not be text of a result, because a model cannot view it.
    expect(body).not.toContain(`\\"data\\":\\"${base64.slice(0, 20)}`);
  });

  it('are named to a model that does not accept them', async () => {
    const none = { seesImages: false, readsPdfs: false, hearsAudio: false };
    const body = await sentTo(provider, [{ role: 'user', content: 'Look', files: [image, document, sound] }], none);
    expect(body).not.toContain(base64);
    expect(body.split('does not accept files of this kind')).toHaveLength(4);
  });
});

describe('files for a model behind an OpenAI-compatible endpoint', () => {
  it('have the forms of that protocol', async () => {
    const all = { role: 'user' as const, content: 'Look', files: [image, document, sound] };
    const body = JSON.parse(await sentTo('openai-compatible', [all])) as {
      messages: { content: object[] }[];
    };
    expect(body.messages[0]?.content.slice(1)).toEqual([
      { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } },
      {
        type: 'file',
        file: {
          filename: 'document.pdf',
          file_data: `data:application/pdf;base64,${pdf.toString('base64')}`,
        },
      },
      { type: 'input_audio', input_audio: { data: wav.toString('base64'), format: 'wav' } },
    ]);
  });
});
