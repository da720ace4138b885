import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../config.js';
import { sharedPools } from '../shared-pools.js';
import type { LanguageModel, ModelFile } from './language-model.js';
import { openModels } from './model-catalog.js';
import { hangs, type Reply, refuses, says, startStandIn } from './providers/stand-in-endpoint.fixture.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) await close();
});

async function open(env: Record<string, string>, ...replies: Reply[]) {
  const server = await startStandIn(...replies);
  closers.push(server.close);
  const config = readConfig({ LLM_BASE_URL: server.baseUrl, LLM_MODEL: 'big', ...env });
  const calls = sharedPools(config).modelCalls;
  return { ...server, models: await openModels(config.models, { random: () => 0, nowMs: Date.now, calls }) };
}

async function read(
  model: LanguageModel,
  files: readonly ModelFile[] = [],
  onText: (delta: string) => void = () => undefined,
): Promise<string> {
  let text = '';
  const request = { messages: [{ role: 'user' as const, content: 'Hi', files }], oracleName: 'Jua', now: new Date(0) };
  for await (const part of model.stream(request, new AbortController().signal)) {
    if (part.type !== 'text') continue;
    text += part.delta;
    onText(part.delta);
  }
  return text;
}

describe('the models of a configuration', async () => {
  it('are only the built-in one by default', async () => {
    const config = readConfig({});
    const calls = sharedPools(config).modelCalls;
    const models = await openModels(config.models, { random: Math.random, nowMs: Date.now, calls });
    expect(models.list()).toEqual([{ id: 'local', label: 'Built-in model', isDefault: true }]);
    expect(models.small.id).toBe('local');
  });

  it('can be several, with a default and one for small tasks', async () => {
    const { models, requests } = await open({ LLM_MODELS: 'fast, big', LLM_SMALL_MODEL: 'tiny' }, says('Hello'));
    expect(models.list()).toEqual([
      { id: 'big', label: 'big', isDefault: true },
      { id: 'fast', label: 'fast', isDefault: false },
    ]);
    expect([models.find()?.id, models.find('fast')?.id, models.find('tiny'), models.small.id]).toEqual([
      'big',
      'fast',
      undefined,
      'tiny',
    ]);
    for (const model of [models.default, models.find('fast'), models.small]) {
      if (model !== undefined) expect(await read(model)).toBe('Hello');
    }
    expect(requests.map(({ body }) => body.model)).toEqual(['big', 'fast', 'tiny']);
    expect(requests[0]?.headers.authorization).toBeUndefined();
  });

  it('receive images if they are configured for images', async () => {
    const { models, requests } = await open({ LLM_MODELS: 'big,eye', LLM_VISION_MODELS: 'eye' }, says('A goat'));
    expect([models.find('big')?.seesImages, models.find('eye')?.seesImages]).toEqual([false, true]);
    const other = (await open({ LLM_MODELS: 'big,eye', LLM_PDF_MODELS: 'eye', LLM_AUDIO_MODELS: 'big' })).models;
    expect([other.find('eye'), other.find('big')]).toMatchObject([
      { seesImages: false, readsPdfs: true, hearsAudio: false },
      { seesImages: false, readsPdfs: false, hearsAudio: true },
    ]);
    const files: ModelFile[] = [
      { kind: 'image', filename: 'goat.png', mediaType: 'image/png', bytes: Buffer.from('pixels') },
      { kind: 'text', filename: 'a.txt', text: 'four legs', leftChars: 0 },
    ];
    const eye = models.find('eye');
    if (eye !== undefined) await read(eye, files);
    await read(models.default, files.slice(1));
    const url = `data:image/png;base64,${Buffer.from('pixels').toString('base64')}`;
    expect(requests[0]?.body.messages[0].content).toEqual([
      { type: 'text', text: expect.stringMatching(/^Hi\n\n.*goat\.png.*\n\n.*a\.txt.*four legs/s) },
      { type: 'image_url', image_url: { url } },
    ]);
    expect(requests[1]?.body.messages[0].content, 'text alone is no list of parts').toContain('four legs');
  });

  it('are retried after a transient failure, before the start of their answer', async () => {
    const { models, requests } = await open(
      {},
      refuses(429, { headers: { 'retry-after': '0' } }),
      refuses(503, { headers: { 'retry-after': '0' } }),
      says('Hello'),
    );
    expect(await read(models.default)).toBe('Hello');
    expect(requests).toHaveLength(3);
  });

  it('time out when they are silent for too long, and their requests are closed', async () => {
    const { models, requests } = await open({ LLM_TIMEOUT_MS: '100' }, hangs);
    await expect(read(models.default)).rejects.toMatchObject({ kind: 'timeout', retryable: true });
    await Promise.all(requests.map(({ closed }) => closed));
  });

  it('time out when they fall silent during an answer', async () => {
    // A busy machine may exceed any short real time-out before the first part.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { models, requests } = await open({}, says('Hello there', { end: 'hang' }));
    let text = '';
    const reading = read(models.default, [], (delta) => {
      text += delta;
    });
    const failing = expect(reading).rejects.toMatchObject({ kind: 'timeout' });
    while (text !== 'Hello there') await setImmediate();
    await setImmediate();
    await vi.advanceTimersByTimeAsync(60_000);
    await failing;
    await requests[0]?.closed;
    expect(requests).toHaveLength(1);
  });
});
