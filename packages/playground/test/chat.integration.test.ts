import { findChromium } from '@mlango/test-services/find-chromium';
import { findFaults } from '@mlango/test-services/find-faults';
import { isSoundInEveryLook } from '@mlango/test-services/looks';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { press } from './support/keyboard.js';
import { pagesOn } from './support/pages.js';
import type { WatchedPage } from './support/real-browser.js';
import { oracleEntity, startOracle, startPlayground, startQueryGateway } from './support/running-doors.js';
import { counted, type Talk, talkOn } from './support/talk.js';

const executablePath = findChromium();
/** Console messages of requests lost with the network. */
const lostNetwork = /net::ERR_|WebSocket connection to .* failed/;

describe.skipIf(executablePath === undefined)('the chat', { timeout: 60_000 }, () => {
  const pages = pagesOn(async () => {
    const gateway = await startQueryGateway();
    const oracle = await startOracle({ PROTO_GATEWAY_URL: gateway });
    return startPlayground({ ORACLE_URL: oracle, PROTO_GATEWAY_URL: gateway, ORACLE_DID: oracleEntity });
  });
  let watched: WatchedPage;
  let page: Page;
  let talk: Talk;

  beforeEach(async () => {
    watched = await pages.blank();
    page = watched.page;
    talk = talkOn(page);
    await page.goto(`${pages.base()}/#/chat`);
    await talk.untilListed();
  });

  /** Begins a session with a message, and waits for the whole answer. */
  async function begin(message: string): Promise<void> {
    await talk.say(message);
    await talk.untilReady();
  }

  it('streams an answer and stores it', async () => {
    await talk.say('Count to 150');
    await expect.poll(talk.status).toBe('streaming');
    await talk.untilReady();
    expect(await talk.lastAnswer()).toBe(counted(150));
    await page.reload();
    await expect.poll(talk.lastAnswer).toBe(counted(150));
    expect(watched.complaints).toEqual([]);
  });

  it('shows an entity card that links to the explorer', async () => {
    const rendered: string[] = [];
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes('"render_component"')) rendered.push(String(payload));
      });
    });
    await press(page.getByRole('button', { name: /Look up entity/ }));
    const card = page.locator('.entity-card');
    await card.getByText('did:ixo:entity:e0001').waitFor();
    await talk.untilReady();
    await press(page.getByText('Reasoning'));
    await page.getByText('The message asks for what lookup_entity does, so I call it.').waitFor();
    expect(rendered.some((frame) => frame.includes('"entity_card"'))).toBe(true);
    // It replaces the call; the stored answer shows the same.
    const isAlone = async () => [await card.count(), await page.getByTestId('tool-call').count()];
    expect(await isAlone()).toEqual([1, 0]);
    const shown = await card.innerText();
    await page.reload();
    await card.waitFor();
    expect([await isAlone(), await card.innerText()]).toEqual([[1, 0], shown]);
    await isSoundInEveryLook(watched, 'chat-entity');
    await press(card.getByRole('link'));
    await page.getByRole('heading', { name: 'did:ixo:entity:e0001' }).waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it('shows claims and token parameters as cards too', async () => {
    await begin('Look up claim bafkreia3is4xu2h5oyzv55muyjxjqz73guhtjtiqcqn6uiqqpneaxgv4he');
    await page.locator('.claim-card').getByText('Collection 1').waitFor();
    await begin('Token parameters');
    await page.locator('.token-parameters-card').getByText('code 25').waitFor();
    expect(await page.getByTestId('tool-call').count()).toBe(0);
    expect(await findFaults(page)).toEqual([]);
    expect(watched.complaints).toEqual([]);
  });

  it('shows any other call with its arguments and its result', async () => {
    await begin('Remember that my goat is called Zuri');
    const call = page.getByTestId('tool-call').filter({ hasText: 'remember' });
    await press(call.locator('summary'));
    expect(await call.innerText()).toContain('Zuri');
    expect(watched.complaints).toEqual([]);
  });

  it('lets the oracle use a tool of this tab: it changes the theme', async () => {
    await begin('Set the theme to dark');
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await page.getByTestId('tool-call').filter({ hasText: 'set_theme' }).getByText('Done').waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it('lets the oracle run an action of this page, and shows it in the answer', async () => {
    await begin('Pin note "water the mangoes"');
    await page.getByRole('list', { name: 'Pinned notes' }).getByText('water the mangoes').waitFor();
    expect(await talk.lastAnswer()).toMatch(/Pinned\s+water the mangoes/);
    expect(watched.complaints).toEqual([]);
  });

  it('stops an answer and preserves its text', async () => {
    await talk.say('Count to 1000');
    await expect.poll(talk.lastAnswer).toMatch(/^1 2 3/);
    await press(page.getByRole('button', { name: 'Stop', exact: true }));
    await talk.untilReady();
    const kept = await talk.lastAnswer();
    expect(counted(1000)).toContain(kept);
    expect(kept.length).toBeLessThan(counted(1000).length);
    await page.reload();
    await page.getByText('Stopped', { exact: true }).waitFor();
    expect(await talk.lastAnswer()).toBe(kept);
    await isSoundInEveryLook(watched, 'trouble-stopped');
    expect(watched.complaints).toEqual([]);
  });

  it('neither loses nor repeats a character when the network is cut during an answer', async () => {
    await talk.say('Count to 300');
    await expect.poll(talk.lastAnswer).toMatch(/^1 2 3/);
    await press(page.getByRole('button', { name: 'Developer panel' }));
    await press(page.getByRole('button', { name: 'Cut the network for 5 s' }));
    await expect.poll(() => page.getByTestId('socket').innerText()).toBe('Not connected');
    await watched.picture('chat-cut');
    await talk.untilReady();
    expect(await talk.lastAnswer()).toBe(counted(300));
    await expect.poll(() => page.getByTestId('socket').innerText(), { timeout: 20_000 }).toBe('Connected');
    // The browser has really lost a connection, and reported nothing else.
    expect(watched.complaints.length).toBeGreaterThan(0);
    expect(watched.complaints.filter((one) => !lostNetwork.test(one))).toEqual([]);
    await begin('What is 12 * 7?');
    expect(await talk.lastAnswer()).toContain('84');
  });

  it('continues an answer that was running when the page was left', async () => {
    await talk.say('Count to 1000');
    await expect.poll(talk.lastAnswer).toMatch(/^1 2 3/);
    await page.reload();
    await expect.poll(talk.status, { timeout: 10_000 }).toBe('streaming');
    await talk.untilReady();
    expect(await talk.lastAnswer()).toBe(counted(1000));
    expect(await page.getByTestId('ai-text').count()).toBe(1);
  });

  it('lists sessions, opens one again, archives it, and undoes that', async () => {
    await begin('What is 12 * 7?');
    const sessions = page.getByRole('navigation', { name: 'Conversations' });
    await press(sessions.getByRole('button', { name: 'New conversation' }));
    await page.getByRole('heading', { name: 'What can I help with?' }).waitFor();
    await press(sessions.getByRole('button', { name: /^What is 12/ }));
    await expect.poll(talk.lastAnswer).toContain('84');
    await press(sessions.getByRole('button', { name: /^Archive What/ }));
    await sessions.getByText('No conversations').waitFor();
    await press(sessions.getByRole('button', { name: 'Undo' }));
    await sessions.getByRole('button', { name: /^What is 12/ }).waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it('is another user in another browser', async () => {
    await begin('What is 12 * 7?');
    const other = await pages.blank();
    await other.page.goto(`${pages.base()}/#/chat`);
    const did = async (one: Page) => {
      await press(one.getByRole('button', { name: 'Developer panel' }));
      return await one.getByText(/^did:key:z6Mk/).innerText();
    };
    expect(await did(other.page)).not.toBe(await did(page));
    await other.page.context().close();
  });

  it('can be used with the keyboard alone', async () => {
    await press(page.getByRole('button', { name: /What can you do/ }));
    await expect.poll(talk.lastAnswer).toContain('fixed rules');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await talk.untilReady();
    await page.keyboard.type('Count to 1000');
    await page.keyboard.press('Enter');
    await expect.poll(talk.lastAnswer).toMatch(/^1 2 3/);
    const focused = () => page.evaluate('document.activeElement.ariaLabel');
    for (let count = 0; count < 4 && (await focused()) !== 'Stop'; count += 1) await page.keyboard.press('Tab');
    expect(await focused()).toBe('Stop');
    await page.keyboard.press('Enter');
    await talk.untilReady();
    expect(watched.complaints).toEqual([]);
  });

  it('has no serious fault in any look, empty and with calls and pins', async () => {
    expect(await watched.layoutShift()).toBeLessThan(0.01);
    await isSoundInEveryLook(watched, 'chat-begin');
    await begin('Describe window');
    await begin('Pin note "water the mangoes"');
    await isSoundInEveryLook(watched, 'chat');
    expect(watched.complaints).toEqual([]);
  });
});
