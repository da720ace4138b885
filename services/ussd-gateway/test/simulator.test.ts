import type { HttpApp } from '@mlango/service-kit/http-app';
import { findChromium } from '@mlango/test-services/find-chromium';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { faintTexts } from './support/faint-texts.js';

import { openTestApp } from './support/test-app.js';

const executablePath = findChromium();

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

  /** One that has no session behind it, which a dial would offer to go on with. */
  const takeAnotherPhone = async () => {
    await page.locator('#phone').fill(`+2547110${String(++phones).padStart(5, '0')}`);
    await page.locator('#input').focus();
  };
  const text = (id: string) => page.locator(`#${id}`).innerText();
  const untilShown = (words: string) =>
    vi.waitFor(async () => expect(await text('message')).toContain(words), { timeout: 10_000 });
  const send = () => page.locator('#send').click();
  const dial = async () => {
    await send();
    await untilShown('Welcome to Mlango');
  };

  it('dials, follows the menus by the keypad, and says goodbye', async () => {
    await dial();
    await page.getByRole('button', { name: '1', exact: true }).click();
    await send();
    await untilShown('Information Center');
    await page.getByRole('button', { name: 'star' }).click();
    await send();
    await untilShown('Goodbye');
    expect(await text('state')).toBe('Idle');
    expect(await page.locator('#hang-up').isDisabled()).toBe(true);
  });

  it('shows what went over the wire, and what room the reply leaves', async () => {
    await dial();
    expect(await text('request')).toContain('POST /api/ussd');
    expect(await text('request')).toContain('"serviceCode": "*384#"');
    expect(await text('reply')).toMatch(/^200 in \d+ ms\n/);
    expect(await text('reply')).toContain('CON Welcome to Mlango');
    const used = 'Welcome to Mlango\n1. Know More\n2. Account Menu\n*. Exit'.length;
    expect(await text('size')).toBe(`${used} septets used, ${182 - used} left`);
  });

  it('can be used with the keyboard alone', async () => {
    await page.keyboard.press('Enter');
    await untilShown('Welcome to Mlango');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await untilShown('Information Center');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('input');
  });

  it('delivers a request again, which changes nothing', async () => {
    await dial();
    await page.locator('#duplicate').click();
    await page.getByText('Nothing was done twice.').waitFor();
    await page.locator('#input').fill('1');
    await send();
    await untilShown('Information Center');
    await page.locator('#duplicate').click();
    await page.getByText('Nothing was done twice.').waitFor();
  });

  it('lets a session time out, so that the next key comes too late', async () => {
    await dial();
    await page.locator('#input').fill('1');
    await send();
    await untilShown('Information Center');
    await page.locator('#timeout').click();
    await page.getByText('The session has run out.').waitFor();
    await page.locator('#input').fill('2');
    await send();
    await untilShown('Session expired. Please dial again.');
  });

  it('hangs up, and dials anew in another session', async () => {
    await dial();
    const first = await text('request');
    await page.locator('#hang-up').click();
    await untilShown('You hung up.');
    await page.locator('#input').fill('*384#');
    await dial();
    expect(await text('request')).not.toBe(first);
  });

  it('speaks as every aggregator that the gateway has', async () => {
    const ids = await page
      .locator('#aggregator option')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    expect(ids).toContain('canonical');
    for (const id of ids) {
      await page.locator('#aggregator').selectOption(id);
      await takeAnotherPhone();
      await dial();
      await page.locator('#input').fill('1');
      await send();
      await untilShown('Information Center');
      await page.locator('#input').fill('1');
      await send();
      await untilShown('any phone');
      await page.locator('#hang-up').click();
      await untilShown('You hung up.');
    }
  });

  it('dials in the language that is chosen, which stays with the phone', async () => {
    await page.getByLabel('Language').selectOption({ label: 'Kiswahili' });
    await send();
    await untilShown('Karibu');
    await page.getByText('This phone now has Kiswahili stored.').waitFor();
    expect(await text('request')).toContain('POST /api/ussd');
    await page.locator('#hang-up').click();
    await untilShown('You hung up.');
    await send();
    await untilShown('Karibu');
    await page.locator('#hang-up').click();
    await untilShown('You hung up.');
    await takeAnotherPhone();
    await send();
    await untilShown('Welcome to Mlango');
  });

  it('fits a narrow screen', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await dial();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  });

  it.each(['light', 'dark'] as const)(
    'can be read in %s: every text has a contrast of 4.5 to 1',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await dial();
      expect(await page.evaluate(faintTexts)).toEqual([]);
    },
  );

  it('names every control, and says what changes', async () => {
    const nameless = await page.evaluate(`[...document.querySelectorAll('button, input, select')]
      .filter((one) => !(one.textContent.trim() || one.labels?.length || one.ariaLabel)).map((one) => one.id)`);
    expect(nameless).toEqual([]);
    expect(await page.locator('#message').getAttribute('aria-live')).toBe('polite');
  });
});
