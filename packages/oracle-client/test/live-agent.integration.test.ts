import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createTestOracle, type TestOracle } from '@mlango/oracle-api/testing';
import { findChromium } from '@mlango/test-services/find-chromium';
import { isSoundInEveryLook } from '@mlango/test-services/looks';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bundledPage } from './bundled-page.fixture.js';
import { standInSignalling } from './livekit-signal.fixture.js';
import { answerMedia, type Frames } from './media-peer.fixture.js';
import { baseUrl, oracleDid } from './service.fixture.js';

const executablePath = findChromium();
const by = { key: 'APItests', secret: 'a-secret-of-tests-that-is-long-enough' };
const timeout = 15_000;

describe.skipIf(executablePath === undefined)('a call from a real browser', { timeout: 90_000 }, () => {
  let livekit: Awaited<ReturnType<typeof standInSignalling>>;
  let oracle: TestOracle;
  let server: Server;
  let browser: Browser;
  let page: Page;
  let media: { page: Page; frames: () => Promise<Frames> };
  let address: string;

  beforeAll(async () => {
    livekit = await standInSignalling(by);
    const calls = { LIVEKIT_URL: livekit.url, LIVEKIT_API_KEY: by.key, LIVEKIT_API_SECRET: by.secret };
    // Models to choose from; none is called.
    const models = { LLM_BASE_URL: 'http://127.0.0.1:1/v1', LLM_MODEL: 'small', LLM_MODELS: 'small,large' };
    oracle = await createTestOracle({ env: { ...calls, ...models } });
    const baseUrl = await oracle.listen({ host: '127.0.0.1', port: 0 });
    const script = await bundledPage('live-agent-page.fixture.tsx');
    const worker = readFileSync(
      createRequire(import.meta.url)
        .resolve('livekit-client/e2ee-worker')
        .replace(/\.js$/, '.mjs'),
    );
    server = createServer(({ url = '' }, reply) => {
      reply.setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'text/html');
      if (url === '/page.js') reply.end(script);
      else if (url === '/worker.js') reply.end(worker);
      else
        reply.end(
          '<!doctype html><html lang="en"><title>Page</title><meta charset="utf-8"><link rel="icon" href="data:,"><div id="root"></div><script src="/page.js"></script>',
        );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const query = new URLSearchParams({ oracleDid: oracle.oracle.did, baseUrl });
    address = `http://localhost:${(server.address() as AddressInfo).port}/?${query}`;
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        '--autoplay-policy=no-user-gesture-required',
        '--allow-loopback-in-peer-connection',
        '--disable-features=WebRtcHideLocalIpsWithMdns',
      ],
    });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    server?.close();
    await oracle?.close();
    await livekit?.close();
  });

  beforeEach(async () => {
    const context = await browser.newContext({ permissions: ['microphone'] });
    media = await answerMedia(context, livekit, address);
    page = await context.newPage();
  });
  afterEach(async () => {
    await page.context().close();
  });

  /** A page with the hook alone. */
  const open = async () => {
    await page.goto(address);
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.getByRole('button', { name: 'Call' }).waitFor();
  };
  const shown = async () => JSON.parse((await page.locator('output').textContent()) ?? '{}');
  const shows = (state: object) => vi.waitFor(async () => expect(await shown()).toMatchObject(state), { timeout });
  const press = (name: string) => page.getByRole('button', { name }).click();

  it('joins the room of its session, and sends only encrypted media to the server', async () => {
    await open();
    expect(await shown()).toMatchObject({ status: 'idle', isEncrypted: false });
    await press('Call');
    await shows({ status: 'connected', isEncrypted: true, isMuted: false, participants: [] });
    expect(livekit.joined.at(-1)).toMatch(/^call-/);
    expect(livekit.published.at(-1)).toMatchObject({ encryption: 1 });
    await vi.waitFor(async () => expect((await media.frames()).received).toBeGreaterThan(20), { timeout });
    // LiveKit puts the initialization vector and its length (12) behind each frame that it encrypts.
    expect(await media.frames()).toMatchObject({ inTheClear: 0 });
    livekit.admit('agent');
    await shows({ participants: [{ identity: 'agent' }] });
    await press('Mute');
    await shows({ isMuted: true });
    await press('Hang up');
    await shows({ status: 'ended', participants: [] });
  });

  it('ends at the oracle when the user hangs up', async () => {
    await open();
    await press('Call');
    await shows({ status: 'connected' });
    const ended = page.waitForResponse((reply) => reply.request().method() === 'DELETE');
    await press('Hang up');
    expect(await (await ended).json()).toMatchObject({ status: 'ended', endReason: 'hung_up' });
  });

  it('continues after its signalling was cut', async () => {
    await open();
    await press('Call');
    await shows({ status: 'connected', isMuted: false });
    livekit.drop();
    await vi.waitFor(() => expect(livekit.resumed()).toBeGreaterThan(0), { timeout });
    await shows({ status: 'connected', isEncrypted: true });
  });

  it('ends with its room', async () => {
    await open();
    await press('Call');
    await shows({ status: 'connected' });
    livekit.closeRoom();
    await shows({ status: 'ended' });
    expect(await shown()).not.toHaveProperty('error');
  });

  it('does not begin if media cannot be encrypted', async () => {
    await open();
    await page.evaluate(() => {
      Reflect.deleteProperty(window, 'RTCRtpScriptTransform');
      Reflect.deleteProperty(RTCRtpSender.prototype, 'createEncodedStreams');
    });
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await press('Call');
    await shows({ status: 'failed', error: 'encryption_unsupported' });
    expect(requested).toEqual([]);
  });

  it('can be started from a new conversation, muted, answered, ended and closed', async () => {
    await page.goto(`${address}&look`);
    const strip = page.getByRole('group', { name: 'Call' });
    const expectText = (text: string) => strip.getByText(text, { exact: true }).waitFor({ timeout });
    await press('Start a call');
    await expectText('Waiting for the oracle to join…');
    expect(livekit.joined.at(-1)).toMatch(/^call-/);
    livekit.admit('agent');
    await expectText('In call');
    await page.getByRole('combobox', { name: 'Model' }).waitFor();
    await isSoundInEveryLook({ page }, 'call');
    await press('Mute');
    await expectText('Muted');
    await press('Unmute');
    await expectText('In call');
    const ended = page.waitForResponse((reply) => reply.request().method() === 'DELETE');
    await press('End call');
    expect(await (await ended).json()).toMatchObject({ endReason: 'hung_up' });
    await expectText('Call ended');
    await isSoundInEveryLook({ page }, 'call-ended');
    await press('Close');
    expect(await strip.count()).toBe(0);
  });

  it('shows why it failed and what to do', async () => {
    await page.goto(`${address}&look`);
    await page.getByRole('button', { name: 'Start a call' }).waitFor();
    await page.evaluate(() => {
      Reflect.deleteProperty(window, 'RTCRtpScriptTransform');
      Reflect.deleteProperty(RTCRtpSender.prototype, 'createEncodedStreams');
    });
    await press('Start a call');
    await page.getByText('This browser cannot encrypt calls. Use a newer browser.').waitFor();
    await isSoundInEveryLook({ page }, 'call-refused');
  });

  it('is not offered if the oracle has no calls', async () => {
    const without = new URL(address);
    without.searchParams.set('baseUrl', baseUrl);
    without.searchParams.set('oracleDid', oracleDid);
    const probed = page.waitForResponse((reply) => reply.url().includes('/calls'));
    await page.goto(`${without}&look`);
    expect(await (await probed).json()).toMatchObject({ statusCode: 404 });
    await page.getByRole('button', { name: 'Attach files' }).waitFor();
    expect(await page.getByRole('button', { name: 'Start a call' }).count()).toBe(0);
  });
});
