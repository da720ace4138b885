import { isSoundInEveryLook } from '@mlango/test-services/looks';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { executablePath, openBrowser } from './real-browser.fixture.js';

/** A microphone that beeps; the page's permissions decide on access. */
const args = ['--use-fake-device-for-media-stream'];

describe.skipIf(executablePath === undefined)('a voice note, in a real browser', { timeout: 60_000 }, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    browser = await openBrowser('oracle-page.fixture.tsx', args);
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    ({ page, complaints } = await browser.newPage());
    await page.context().grantPermissions(['microphone']);
  });
  afterEach(async () => {
    await page.context().close();
    expect(complaints).toEqual([]);
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const strip = () => page.getByRole('group', { name: 'Voice note' });
  /** The recording has started. */
  const second = () => strip().getByRole('timer').getByText('0:01 / 3:00').waitFor();
  const isLouderThan = (part: number) =>
    page.waitForFunction((least) => {
      const level = document.querySelector('.mlango-level span')?.getBoundingClientRect().width ?? 0;
      return level > least * (document.querySelector('.mlango-level')?.getBoundingClientRect().width ?? Infinity);
    }, part);

  it('can be recorded, played, sent and played after a reload by keyboard', async () => {
    await button('Record a voice note').focus();
    await page.keyboard.press('Enter');
    await strip().getByText('Recording', { exact: true }).waitFor();
    await isLouderThan(0.02);
    await second();
    expect(await button('Send').isDisabled()).toBe(true);
    await isSoundInEveryLook({ page }, 'voice-recording');
    // The focused element during the recording stops it; then the field has the focus, and Enter sends.
    await page.keyboard.press('Enter');
    const sound = strip().locator('audio');
    await sound.waitFor();
    await page.waitForFunction(() => (document.querySelector('audio')?.duration ?? 0) > 0.5);
    expect(await sound.evaluate((audio: HTMLAudioElement) => Number.isFinite(audio.duration))).toBe(true);
    await isSoundInEveryLook({ page }, 'voice-recorded');
    const uploading = page.waitForResponse((reply) => reply.url().includes('/attachments?'));
    await page.keyboard.press('Enter');
    const uploaded = await uploading;
    expect(await uploaded.json()).toMatchObject({ mimetype: 'audio/webm' });
    expect((await uploaded.json()).filename).toMatch(/^voice-note-[\dT]+\.webm$/);
    expect(await page.getByTestId('human-text').innerText()).toBe('Voice note');
    await page.getByTestId('ai-text').getByText('this oracle is not set up to listen').waitFor();
    await page.getByTestId('status').filter({ hasText: 'ready' }).waitFor();
    await page.reload();
    await page
      .getByRole('button', { name: /^Voice note/ })
      .first()
      .click();
    const sent = page.getByRole('article', { name: 'You' });
    await sent.getByRole('button', { name: /^Play Voice note/ }).click();
    await page.waitForFunction(() => document.querySelector('article audio') !== null);
    await page.waitForFunction(() => (document.querySelector('article audio') as HTMLAudioElement).currentTime > 0);
  });

  it('is cancelled by Escape, and leaves the typed text, which is sent with the next one', async () => {
    await page.getByLabel('Message', { exact: true }).fill('listen to this');
    await button('Record a voice note').click();
    await strip().getByText('Recording', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await strip().waitFor({ state: 'detached' });
    await button('Record a voice note').click();
    await second();
    await button('Stop recording').click();
    await button('Discard voice note').click();
    expect(await strip().count()).toBe(0);
    await button('Record a voice note').click();
    await second();
    await button('Stop recording').click();
    await button('Send').click();
    await page
      .getByRole('article', { name: 'You' })
      .getByRole('button', { name: /^Play Voice note/ })
      .waitFor();
    expect(await page.getByTestId('human-text').innerText()).toBe('listen to this');
  });

  it('shows why it failed and what to do', async () => {
    await page.context().clearPermissions();
    await button('Record a voice note').click();
    await strip().getByText('The microphone is blocked. Allow it for this page').waitFor();
    await isSoundInEveryLook({ page }, 'voice-blocked');
    await button('Discard voice note').click();
    expect(await strip().count()).toBe(0);
  });

  it('is not offered if the browser cannot record', async () => {
    await page.addInitScript(() => Reflect.deleteProperty(window, 'MediaRecorder'));
    await page.reload();
    await button('Attach files').waitFor();
    expect(await button('Record a voice note').count()).toBe(0);
  });
});
