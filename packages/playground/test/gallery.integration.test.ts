import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findChromium } from '@mlango/test-services/find-chromium';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { pagesOn } from './support/pages.js';
import {
  oracleEntity,
  startOracle,
  startPlayground,
  startQueryGateway,
  startVisitedGateway,
} from './support/running-doors.js';
import { talkOn } from './support/talk.js';

/** Folder of the pictures: `GALLERY=docs/images` is that of the documentation. */
const folder = fileURLToPath(new URL(`../../../${process.env['GALLERY'] ?? 'artifacts/gallery'}/`, import.meta.url));
/** A page of the documentation loads several of them. */
const mostBytes = 150_000;

const desktop = { width: 1024, height: 760 };
const phone = { width: 375, height: 812 };
const code = '*2233#';

/** The replies of each caller; some of them then close the phone. */
const dialogues = [
  ['1'],
  ['2', '1'],
  ['2', '2', 'Asha Mwangi'],
  ['1', '1'],
  ['2', '2', 'Juma Otieno', '00'],
  ['2', '2', 'Neema Said', '00'],
  ['2'],
  ['*'],
];

async function dialAll(gateway: string): Promise<void> {
  for (const [caller, replies] of dialogues.entries()) {
    const session = { sessionId: `gallery-${caller}`, serviceCode: code, phoneNumber: `+25471100000${caller}` };
    for (let count = 0; count <= replies.length; count += 1) {
      const answer = await fetch(`${gateway}/api/ussd`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...session, text: replies.slice(0, count).join('*') }),
      });
      expect(await answer.text()).toMatch(/^(CON|END) /);
    }
  }
}

describe.skipIf(findChromium() === undefined)('the gallery of the documentation', { timeout: 120_000 }, () => {
  const pages = pagesOn(async () => {
    const [chain, ussd] = await Promise.all([startQueryGateway(), startVisitedGateway(dialAll)]);
    const oracle = await startOracle({ PROTO_GATEWAY_URL: chain, TOOL_APPROVAL: 'remember=ask' });
    return startPlayground({
      USSD_GATEWAY_URL: ussd,
      PROTO_GATEWAY_URL: chain,
      ORACLE_URL: oracle,
      ORACLE_DID: oracleEntity,
    });
  });
  beforeAll(() => void mkdirSync(folder, { recursive: true }));

  async function open(route: string, viewport = desktop, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const { page } = await pages.blank({ viewport, colorScheme, reducedMotion: 'reduce' });
    await page.goto(`${pages.base()}/${route}`);
    return page;
  }

  async function store(shown: Page | Locator, name: string): Promise<void> {
    const path = `${folder}${name}.png`;
    await shown.screenshot({ path });
    expect(statSync(path).size).toBeLessThan(mostBytes);
  }

  it.each(['light', 'dark'] as const)('shows the home page: %s', async (look) => {
    const page = await open('', desktop, look);
    await page.getByRole('link', { name: 'Continue in the chat' }).waitFor();
    await expect.poll(() => page.getByTestId('glimpse-height').innerText(), { timeout: 15_000 }).toMatch(/\d/);
    await page.getByTestId('glimpse-phone').filter({ hasText: 'Welcome' }).waitFor();
    await store(page, `home-${look}`);
  });

  it('shows a phone', async () => {
    const page = await open('#/phone', phone);
    await page.getByRole('button', { name: 'Call' }).click();
    await page.getByTestId('message').filter({ hasText: 'Welcome' }).waitFor();
    await page.locator('.handset').scrollIntoViewIfNeeded();
    await page.evaluate('document.querySelector(".handset").scrollIntoView({ block: "center" })');
    await store(page, 'phone');
  });

  it('shows a chat with a card and an approval', async () => {
    const page = await open('#/chat');
    const talk = talkOn(page);
    await talk.untilListed();
    await talk.say('Token parameters');
    await page.locator('.token-parameters-card').getByText('code 25').waitFor();
    await talk.untilReady();
    await talk.say('Remember that my goat is called Zuri');
    await page.getByRole('region', { name: 'remember', exact: true }).waitFor();
    await page.evaluate('document.querySelector(".token-parameters-card").scrollIntoView({ block: "start" })');
    await store(page, 'chat');
  });

  it('shows the chain', async () => {
    const page = await open('#/chain');
    await page.getByRole('link', { name: oracleEntity }).first().waitFor();
    await store(page, 'chain');
  });

  it('shows the map of a flow with its visitors', async () => {
    const page = await open('#/phone', { width: 1180, height: 1050 });
    await page.getByRole('button', { name: 'Call' }).click();
    await page.locator('[data-screen="preMenu"][aria-current="location"]').waitFor();
    await page.locator('.map-left').first().waitFor({ state: 'attached' });
    await store(page.locator('.flow-map'), 'flow-map');
  });
});
