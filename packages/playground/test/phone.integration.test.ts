import { findChromium } from '@mlango/test-services/find-chromium';
import { isSoundInEveryLook } from '@mlango/test-services/looks';
import { endPrograms } from '@mlango/test-services/program';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { press, tabTo, write } from './support/keyboard.js';
import { pagesOn } from './support/pages.js';
import { openBrowser, openPage, type WatchedPage } from './support/real-browser.js';
import { startPlayground, startUssdGateway } from './support/running-doors.js';

const executablePath = findChromium();
let phones = 0;

describe.skipIf(executablePath === undefined)('the phone', { timeout: 60_000 }, () => {
  const pages = pagesOn(async () => startPlayground({ USSD_GATEWAY_URL: await startUssdGateway() }));
  let watched: WatchedPage;
  let page: Page;

  beforeEach(async () => {
    watched = await pages.blank();
    page = watched.page;
    await page.goto(`${pages.base()}/#/phone`);
    // A number without a session, because a dial would offer to resume one.
    await write(page.getByLabel('Another number'), `+2547110${String(++phones).padStart(5, '0')}`);
    await press(page.getByRole('button', { name: 'Use', exact: true }));
  });
  afterEach(async () => {
    expect(watched.complaints).toEqual([]);
    await page.context().close();
  });

  const untilShown = (words: string | RegExp) => page.getByTestId('message').filter({ hasText: words }).waitFor();
  const key = (name: string) => press(page.getByRole('button', { name, exact: true }));
  const send = async (text: string) => {
    await write(page.getByLabel('Reply', { exact: true }), text);
    await key('Send');
  };

  it('signs a user up and logs in, key by key', async () => {
    await key('Call');
    await untilShown('Welcome to Mlango');
    await key('2');
    await key('Send');
    await untilShown('Do you have an existing account?');
    await key('2');
    await key('Send');
    await untilShown('Enter your full name');
    await send('Asha Mwangi');
    await untilShown('email address');
    await key('0');
    await key('0');
    await key('Send');
    await untilShown('Create a 5-digit PIN');
    await send('73915');
    await untilShown('Confirm your 5-digit PIN');
    await send('73915');
    await untilShown('Account created successfully!');
    const customerId = /C[0-9A-Z]{8}/.exec(await page.getByTestId('message').innerText())?.[0] ?? '';
    await watched.picture('phone-signed-up');
    await key('1');
    await key('Send');
    await untilShown('Do you have an existing account?');
    await send('1');
    await untilShown('Enter your Customer ID');
    await send(customerId);
    await untilShown('Enter your PIN');
    await send('73915');
    await untilShown('Welcome, Asha Mwangi!');
    await key('star');
    await key('Send');
    await untilShown('Goodbye');
    expect(await page.getByTestId('phase').innerText()).toBe('No session');
  });

  it('restores its numbers and its session after a reload, and continues', async () => {
    await key('Call');
    await untilShown('Welcome to Mlango');
    await page.reload();
    await untilShown('Welcome to Mlango');
    expect(await page.getByRole('radio', { name: /^\+2547110/ }).isChecked()).toBe(true);
    await key('2');
    await key('Send');
    await untilShown('Do you have an existing account?');
  });

  it('writes letters with the digit keys', async () => {
    await press(page.getByRole('button', { name: /Keys write digits/ }));
    await write(page.getByLabel('Number to dial'), '');
    for (const name of ['2', '7', '7', '7', '7', '4', '4']) await key(name);
    expect(await page.getByLabel('Number to dial').inputValue()).toBe('Ash');
  });

  it('shows the wire messages, with their size, and repeats one without repeating its effect', async () => {
    await key('Call');
    await untilShown('Welcome to Mlango');
    const message = 'Welcome to Mlango\n1. Know More\n2. Account Menu\n*. Exit';
    const hop = page.locator('.hop').first();
    expect(await hop.locator('summary').innerText()).toMatch(
      new RegExp(`CON[\\s\\S]*${message.length}/182 septets · ${message.length + 4} B · \\d+ ms`),
    );
    await press(hop.locator('summary'));
    expect(await hop.locator('pre').first().innerText()).toContain('"serviceCode": "*2233#"');
    await press(page.getByRole('button', { name: 'Send again' }));
    await page.getByText('not processed twice').waitFor();
  });

  it('hangs up, redials, and offers to resume', async () => {
    await key('Call');
    await untilShown('Welcome to Mlango');
    await send('1');
    await untilShown('Information Center');
    await key('Cancel');
    await untilShown('You hung up.');
    await key('Redial');
    await untilShown(/Continue|Welcome/);
  });

  it('preserves a session while another phone is selected', async () => {
    await key('Call');
    await untilShown('Welcome to Mlango');
    await page.getByLabel('+33612345678').check();
    await untilShown('Dial *2233# to begin.');
    await page.locator('.number', { hasText: 'in session' }).click();
    await untilShown('Welcome to Mlango');
    await send('1');
    await untilShown('Information Center');
  });

  it('refuses an invalid number with an explanation', async () => {
    await write(page.getByLabel('Another number'), '0712');
    await press(page.getByRole('button', { name: 'Use', exact: true }));
    await page.getByRole('alert').filter({ hasText: 'Not a phone number' }).waitFor();
  });

  it('can be used with the keyboard alone', async () => {
    await tabTo(page, /^Number to dial$/);
    await page.keyboard.press('Enter');
    await untilShown('Welcome to Mlango');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await untilShown('Information Center');
    await page.keyboard.press('Escape');
    await untilShown('You hung up.');
  });

  it('shows the flow map with the current screen, through this server only', async () => {
    await key('Call');
    await page.locator('[data-screen="preMenu"][aria-current="location"]').waitFor();
    await send('1');
    await page.locator('[data-screen="knowMore"][aria-current="location"]').waitFor();
    await press(page.locator('[data-screen="knowMore"]'));
    await page.getByRole('heading', { name: 'Kiswahili' }).waitFor();
    expect(await page.getByLabel('Aggregator', { exact: true }).count()).toBe(0);
    await watched.picture('phone-map');
  });

  it('has no serious fault in any look', async () => {
    await key('Call');
    await untilShown('Welcome to Mlango');
    await press(page.locator('.hop summary').first());
    await isSoundInEveryLook(watched, 'phone');
  });
});

describe.skipIf(executablePath === undefined)('the phone without a gateway', { timeout: 60_000 }, () => {
  it('shows a network error, and stays usable', async () => {
    const base = await startPlayground({});
    const browser = await openBrowser(executablePath);
    try {
      const { page } = await openPage(browser);
      await page.goto(`${base}/#/phone`);
      await press(page.getByRole('button', { name: 'Call' }));
      await page.getByTestId('message').filter({ hasText: 'Connection problem' }).waitFor();
      await page.getByRole('button', { name: 'Redial' }).waitFor();
    } finally {
      await browser.close();
      await endPrograms();
    }
  });
});
