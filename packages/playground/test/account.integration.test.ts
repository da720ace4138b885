import { readFileSync } from 'node:fs';
import { findChromium } from '@mlango/test-services/find-chromium';
import { isSoundInEveryLook, type Look, looks } from '@mlango/test-services/looks';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { choose, chooseFiles, press, tabTo, write } from './support/keyboard.js';
import { pagesOn } from './support/pages.js';
import type { WatchedPage } from './support/real-browser.js';
import { oracleEntity, startOracle, startPlayground } from './support/running-doors.js';
import { talkOn } from './support/talk.js';

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)('the account', { timeout: 60_000 }, () => {
  const pages = pagesOn(async () => {
    const ORACLE_URL = await startOracle({ API_KEYS: 'on', CREDITS: 'local' });
    return startPlayground({ ORACLE_URL, ORACLE_DID: oracleEntity });
  });
  let watched: WatchedPage;
  let page: Page;

  async function open(view: string, look: Look = 'desktop-light'): Promise<void> {
    watched = await pages.blank(looks[look]);
    page = watched.page;
    await page.goto(`${pages.base()}/#/account/${view}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
  const pressNamed = (name: string) => press(page.getByRole('button', { name, exact: true }));
  const said = (text: string) => page.getByRole('status').getByText(text).waitFor();
  async function savedBy(name: string): Promise<string> {
    const download = page.waitForEvent('download');
    await pressNamed(name);
    return await (await download).path();
  }

  it('lists, searches, deletes, restores and exports memories', async () => {
    await open('memory', 'phone-dark');
    await page.getByText('No memories').waitFor();
    for (const memory of ['My goat is called Zuri', 'The well is behind the school']) {
      await write(page.getByLabel('Remember this'), memory);
      await page.keyboard.press('Enter');
      await page.getByRole('list', { name: 'Memories' }).getByText(memory).waitFor();
    }
    await write(page.getByLabel('Search memories'), 'goat');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByTestId('memory-count').innerText()).toBe('1 memory with “goat”');
    expect(page.url()).toContain('?query=goat');
    await press(page.getByRole('button', { name: 'Forget: My goat is called Zuri' }));
    await page.getByText('No matching memories.').waitFor();
    await pressNamed('Undo');
    await page.getByRole('list', { name: 'Memories' }).getByText('Zuri').waitFor();
    await page.goBack();
    await expect.poll(() => page.getByTestId('memory-count').innerText()).toBe('2 memories');
    const kept = JSON.parse(readFileSync(await savedBy('Export'), 'utf8')) as { content: string }[];
    expect(kept.map(({ content }) => content).toSorted()).toEqual([
      'My goat is called Zuri',
      'The well is behind the school',
    ]);
    await isSoundInEveryLook(watched, 'account-memory');
    expect(watched.complaints).toEqual([]);
  });

  it('sets the form of address, and clears it again', async () => {
    await open('preferences');
    await write(page.getByLabel('Call me', { exact: true }), 'Asha');
    await choose(page.getByLabel('Formality'), 'friendly');
    await write(page.getByLabel('Tone'), 'warm');
    await pressNamed('Save');
    await said('Saved.');
    await page.reload();
    await expect.poll(() => page.getByLabel('Call me', { exact: true }).inputValue()).toBe('Asha');
    expect(await page.getByLabel('Formality').inputValue()).toBe('friendly');
    await isSoundInEveryLook(watched, 'account-preferences');
    await write(page.getByLabel('Tone'), '');
    await pressNamed('Save');
    await said('Saved.');
    await page.reload();
    await expect.poll(() => page.getByLabel('Call me', { exact: true }).inputValue()).toBe('Asha');
    expect(await page.getByLabel('Tone').inputValue()).toBe('');
    expect(watched.complaints).toEqual([]);
  });

  it('creates a key by the keyboard alone, shows it once, and revokes it', async () => {
    await open('keys', 'phone-dark');
    await page.getByText('No keys').waitFor();
    await tabTo(page, /^Name$/);
    await page.keyboard.type('Nightly report');
    await tabTo(page, /^Send|^Start conversations/);
    await page.keyboard.press('Space');
    await tabTo(page, /^Create key$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Copy “Nightly report” now' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H2');
    const key = await page.getByTestId('made-key').innerText();
    expect(key).toMatch(/^mlk_/);
    const asScript = () => fetch(`${pages.base()}/oracle/sessions`, { headers: { authorization: `Bearer ${key}` } });
    expect((await asScript()).status).toBe(200);
    await isSoundInEveryLook(watched, 'account-key-made');
    await page.reload();
    await page.getByText('Nightly report').waitFor();
    expect(await page.content()).not.toContain(key);
    await isSoundInEveryLook(watched, 'account-keys');
    await tabTo(page, /^Revoke$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('Cancel');
    await isSoundInEveryLook(watched, 'account-key-revoking');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('No keys').waitFor();
    expect((await asScript()).status).toBe(401);
    expect(watched.complaints).toEqual([]);
  });

  it('explains an unpaid message, tops up, and then sends it', async () => {
    await open('credits');
    await page.goto(`${pages.base()}/#/chat`);
    await write(page.getByLabel('Message', { exact: true }), 'What is 12 * 7?');
    await page.keyboard.press('Enter');
    const notice = page.getByRole('alert').filter({ hasText: 'Payment required' });
    await notice.waitFor();
    await isSoundInEveryLook(watched, 'chat-unpaid');
    await press(notice.getByRole('link', { name: 'See your credits and top up' }));
    await expect.poll(() => page.getByTestId('credits-left').innerText()).toMatch(/^0 credits left/);
    await isSoundInEveryLook(watched, 'account-credits-none');
    await pressNamed('Add 100,000 credits');
    await said('Your balance is 100,000.');
    await isSoundInEveryLook(watched, 'account-credits');
    await page.goBack();
    await press(page.getByRole('button', { name: 'Retry' }));
    await talkOn(page).untilReady();
    await expect.poll(talkOn(page).lastAnswer).toContain('84');
    expect(watched.complaints.filter((one) => !one.includes('402'))).toEqual([]);
  });

  it('transfers a key to another browser, and deletes it', async () => {
    await open('you', 'phone-dark');
    const did = () => page.getByTestId('did').innerText();
    const first = await did();
    const buffer = readFileSync(await savedBy('Export the key'));
    await isSoundInEveryLook(watched, 'account-you');

    await open('you');
    expect(await did()).not.toBe(first);
    const keyFile = { name: 'key.json', mimeType: 'application/json' };
    await chooseFiles(page.getByLabel('Import a key'), { ...keyFile, buffer: Buffer.from('{"kty":"RSA"}') });
    await page.getByRole('alert').getByText('This is no Ed25519 key').waitFor();
    await chooseFiles(page.getByLabel('Import a key'), { ...keyFile, buffer });
    await expect.poll(did).toBe(first);
    await pressNamed('Forget the key');
    await page.getByText('you cannot come back as this person').waitFor();
    await isSoundInEveryLook(watched, 'account-forgetting');
    await pressNamed('Forget the key');
    await expect.poll(did).not.toBe(first);
    expect(await did()).toMatch(/^did:key:z6Mk/);
    expect(watched.complaints).toEqual([]);
  });

  it('exports all data, and deletes it with a receipt', async () => {
    await open('memory');
    await write(page.getByLabel('Remember this'), 'My goat is called Zuri');
    await pressNamed('Remember');
    await said('Remembered.');
    await press(page.getByRole('link', { name: 'You', exact: true }));
    expect(
      readFileSync(await savedBy('Download everything'))
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
    await pressNamed('Delete everything');
    const receipt = JSON.parse(readFileSync(await savedBy('Delete everything'), 'utf8')) as { deleted: object };
    expect(receipt.deleted).toMatchObject({ 'memory/memories': 1 });
    await said('The signed receipt was saved.');
    await press(page.getByRole('link', { name: 'Memory', exact: true }));
    await page.getByText('No memories').waitFor();
    expect(watched.complaints).toEqual([]);
  });
});
