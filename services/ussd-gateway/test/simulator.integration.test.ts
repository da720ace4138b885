import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { findChromium } from '@mlango/test-services/find-chromium';
import { findFaults, overhang } from '@mlango/test-services/find-faults';
import { runProgram } from '@mlango/test-services/program';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { faintTexts } from './support/faint-texts.js';
import { openTestApp } from './support/test-app.js';

const executablePath = findChromium();
const flows = fileURLToPath(new URL('../flows/', import.meta.url));
const command = fileURLToPath(new URL('../dist/cli/ussd.js', import.meta.url));

describe.skipIf(executablePath === undefined)('the simulator page', () => {
  let app: HttpApp;
  let base: string;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  let phones = 0;

  beforeAll(async () => {
    app = await openTestApp({ env: { SIMULATOR: 'on' } });
    base = await app.listen({ host: '127.0.0.1', port: 0 });
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      // Containers have neither user namespaces nor much shared memory.
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  beforeEach(async () => {
    complaints.length = 0;
    page = await browser.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${base}/simulator`);
    await page.getByText('Dial *384# to begin.').waitFor();
    await takeAnotherPhone();
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await page.close();
  });

  /** A new phone, without an earlier session that a dial would offer to resume. */
  const takeAnotherPhone = async () => {
    await page.getByLabel('Another number').fill(`+2547110${String(++phones).padStart(5, '0')}`);
    await page.getByRole('button', { name: 'Use', exact: true }).click();
  };
  const untilShown = (words: string | RegExp) => page.getByTestId('message').filter({ hasText: words }).waitFor();
  const key = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const dial = async () => {
    await page.getByRole('button', { name: /^(Call|Redial)$/ }).click();
    await untilShown('Welcome to Mlango');
  };
  const send = async (text: string, shows: string | RegExp) => {
    await page.getByLabel('Reply', { exact: true }).fill(text);
    await key('Send');
    await untilShown(shows);
  };
  const onMap = (screen: string) => page.locator(`[data-screen="${screen}"]`);
  const untilHere = (screen: string) => page.locator(`[data-screen="${screen}"][aria-current="location"]`).waitFor();
  const saved = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), key(name)]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
  };

  it('shows the position of the phone on the map, and the users of each transition', async () => {
    await dial();
    await untilHere('preMenu');
    await send('1', 'Information Center');
    await untilHere('knowMore');
    expect(await page.locator('[aria-current="location"]').count()).toBe(1);
    await send('1', 'any phone');
    await untilHere('infoTopic');
    await onMap('preMenu').click();
    const row = page.getByRole('row', { name: /knowMore/ });
    expect(await row.innerText()).toMatch(/knowMore\s+1\s+\d+\s+[\d.]+ m?s/);
    await key('knowMore');
    await page.getByRole('heading', { name: 'knowMore' }).waitFor();
    await send('*', 'Goodbye');
    await vi.waitFor(async () => expect(await page.locator('[aria-current="location"]').count()).toBe(0));
  });

  it('polls the position of the phone once per hop, which leaves most of the address limit to the phone', async () => {
    await onMap('preMenu').waitFor();
    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    await dial();
    await untilHere('preMenu');
    await send('1', 'Information Center');
    await untilHere('knowMore');
    const ofOneHop = ['/api/ussd', '/simulator/map', '/simulator/place'];
    expect(paths.toSorted()).toEqual([...ofOneHop, ...ofOneHop].toSorted());
  });

  it('opens a screen in all languages, with its size', async () => {
    await onMap('preMenu').click();
    for (const language of ['English', 'Français', 'Kiswahili']) {
      await page.getByRole('heading', { name: language, exact: true }).waitFor();
    }
    const english = 'Welcome to Mlango\n1. Know More\n2. Account Menu\n*. Exit';
    expect(await page.locator('pre[lang=en]').innerText()).toBe(english);
    expect(await page.locator('pre[lang=sw]').innerText()).toContain('Karibu');
    const size = page.locator('.screen-languages > div').first().locator('pre + p');
    expect(await size.innerText()).toBe(`${english.length} of 182 septets`);
    await key('Close');
    expect(await page.locator('pre[lang=en]').count()).toBe(0);
  });

  it('saves the map as a self-contained picture', async () => {
    await dial();
    await untilHere('preMenu');
    const { name, text } = await saved('Save as SVG');
    expect(name).toBe('default-2.svg');
    expect(text).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(text).toContain('<style');
    expect(text).toContain('knowMore');
    const alone = await browser.newPage();
    await alone.setContent(text);
    expect(await alone.locator('svg').boundingBox()).toMatchObject({ width: expect.any(Number) });
    await alone.close();
  });

  it('records a dialogue, which is then a test of the flow', async () => {
    await key('Record from the next dial');
    await dial();
    await send('2', 'existing account');
    await send('2', 'full name');
    await send('Asha Mwangi', 'email');
    await send('00', 'Create a 5-digit PIN');
    await send('73915', 'Confirm');
    await send('73915', 'Account created');
    const customerId = /C[0-9A-Z]{8}/.exec(await page.getByTestId('message').innerText())?.[0] ?? 'none';
    await send('1', 'existing account');
    await send('1', 'Customer ID');
    await send(customerId, 'Enter your PIN');
    await send('73915', 'Welcome, Asha Mwangi!');
    await send('1', 'Phone');
    await send('*', 'Goodbye');
    await page.getByLabel('Title').fill('Sign up and look');
    const { name, text } = await saved('Save as a test');
    expect(name).toBe('sign-up-and-look.txt');
    for (const secret of ['73915', customerId, '+254711']) expect(text).not.toContain(secret);
    const folder = mkdtempSync(join(tmpdir(), 'recorded-'));
    await cp(join(flows, 'default'), join(folder, 'default'), { recursive: true });
    writeFileSync(join(folder, 'default/transcripts', name), text);
    const tried = runProgram([command, 'test', folder], { env: {} });
    expect(await tried.exit, tried.output()).toBe(0);
    expect(tried.output()).toContain('Sign up and look (13 screens)');
  });

  it('explains why a dialogue that depends on its phone is no test', async () => {
    await dial();
    await send('1', 'Information Center');
    await send('1', 'any phone');
    await key('Cancel');
    await key('Record from the next dial');
    await key('Redial');
    await untilShown(/Continue/);
    await key('Save as a test');
    await page.getByText('This is not a valid test: screen 1 cannot be played again').waitFor();
  });

  it('loses a reply, delivers twice, and delivers late, as networks do', async () => {
    const each = page.getByLabel('Network fault');
    await each.selectOption({ label: 'request delivered twice' });
    await dial();
    await send('1', 'Information Center');
    await each.selectOption({ label: 'response lost' });
    await send('1', 'Connection problem');
    expect(await page.locator('.hop .badge').first().innerText()).toBe('failed');
    await each.selectOption({ label: 'response 3 s late' });
    await key('Redial');
    expect(await page.getByTestId('phase').innerText()).toBe('Sending…');
    await untilShown('Continue');
    await each.selectOption({ label: 'none' });
    // The gateway had processed the key before its reply was lost.
    await send('1', 'any phone');
  });

  it('expires a session, so that the next key is too late', async () => {
    await dial();
    await send('1', 'Information Center');
    await key('End the session by timeout');
    await page.getByText('The session has timed out.').waitFor();
    await send('2', 'Session expired. Please dial again.');
  });

  it('delivers a request again, which changes nothing', async () => {
    await dial();
    await page.locator('.hop summary').first().click();
    await key('Send again');
    await page.getByText('not processed twice').waitFor();
    await send('1', 'Information Center');
  });

  it('uses the format of every aggregator of the gateway', async () => {
    const ids = await page
      .getByLabel('Aggregator', { exact: true })
      .locator('option')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    expect(ids).toHaveLength(11);
    for (const id of ids) {
      await page.getByLabel('Aggregator', { exact: true }).selectOption(id);
      await takeAnotherPhone();
      await dial();
      await send('1', 'Information Center');
      await untilHere('knowMore');
      await send('1', 'any phone');
      await key('Cancel');
      await untilShown('You hung up.');
    }
  });

  it('dials in the chosen language, which is stored for the phone', async () => {
    await page.getByLabel('Language', { exact: true }).selectOption({ label: 'Kiswahili' });
    await page.getByText('Saved: Kiswahili from the next dial on.').waitFor();
    await key('Call');
    await untilShown('Karibu');
    await takeAnotherPhone();
    await dial();
  });

  it('can be used with the keyboard alone, including the map', async () => {
    await page.getByLabel('Number to dial').focus();
    await page.keyboard.press('Enter');
    await untilShown('Welcome to Mlango');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await untilShown('Information Center');
    await untilHere('knowMore');
    const isOnMap = () => page.evaluate('document.activeElement?.closest(".map-screen")?.dataset.screen');
    for (let press = 0; press < 40 && (await isOnMap()) !== 'knowMore'; press++) await page.keyboard.press('Tab');
    expect(await isOnMap()).toBe('knowMore');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'knowMore' }).waitFor();
  });

  it.each([375, 320])('fits a screen %d pixels wide, with a map that can be moved', async (width) => {
    await page.setViewportSize({ width, height: 740 });
    await dial();
    await untilHere('preMenu');
    await onMap('preMenu').click();
    await page.getByRole('heading', { name: 'Kiswahili' }).waitFor();
    expect(await overhang(page)).toBe(0);
    const box = await page.getByLabel('Map of the flow').boundingBox();
    const here = await onMap('preMenu').boundingBox();
    expect(box).not.toBeNull();
    // The current screen is visible, and its text is not smaller than on a large screen.
    expect(here?.x).toBeGreaterThanOrEqual(box?.x ?? 0);
    expect((here?.x ?? 0) + (here?.width ?? 0)).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0) + 1);
    expect(here?.width).toBeGreaterThanOrEqual(168);
    expect(await findFaults(page)).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'has no serious fault in %s, and every text has enough contrast',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await dial();
      await send('1', 'Information Center');
      await onMap('knowMore').click();
      await page.getByRole('heading', { name: 'Kiswahili' }).waitFor();
      await page.locator('.hop summary').first().click();
      expect(await findFaults(page)).toEqual([]);
      expect(await page.evaluate(faintTexts)).toEqual([]);
    },
  );
});
