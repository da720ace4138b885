import { findChromium } from '@mlango/test-services/find-chromium';
import { findFaults } from '@mlango/test-services/find-faults';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pagesOn } from './support/pages.js';
import type { WatchedPage } from './support/real-browser.js';
import { oracleEntity, startOracle, startPlayground } from './support/running-doors.js';
import { counted, talkOn } from './support/talk.js';

const executablePath = findChromium();
/** Two tabs and their services may share a few cores with other processes. */
const inTime = { timeout: 30_000 };

describe.skipIf(executablePath === undefined)('two tabs with one session', { timeout: 120_000 }, () => {
  const start = async (RUN_CONFLICT: string) =>
    startPlayground({ ORACLE_URL: await startOracle({ RUN_CONFLICT }), ORACLE_DID: oracleEntity });
  let enqueuing: string;
  const pages = pagesOn(async () => {
    enqueuing = await start('enqueue');
    return start('interrupt');
  });
  let watched: WatchedPage;

  /** A session with one answer in it, in two tabs of one browser. */
  async function twoTabs(conflict: 'interrupt' | 'enqueue') {
    watched = await pages.blank();
    const here = watched.page;
    await here.goto(`${conflict === 'enqueue' ? enqueuing : pages.base()}/#/chat`);
    await talkOn(here).untilListed();
    await talkOn(here).say('What is 12 * 7?');
    await talkOn(here).untilReady();
    const there = await here.context().newPage();
    await there.goto(here.url());
    await expect.poll(talkOn(there).lastAnswer, inTime).toContain('84');
    for (const tab of [here, there]) await tab.getByText('Connected', { exact: true }).waitFor();
    return [here, there] as const;
  }
  const elsewhere = (tab: Page) => tab.getByTestId('elsewhere').innerText();
  const questions = (tab: Page) => tab.getByTestId('human-text').allInnerTexts();

  it('show the same message and streaming answer once, and name the other tab', async () => {
    const [here, there] = await twoTabs('interrupt');
    await talkOn(there).say('Count to 400');
    await expect.poll(talkOn(here).lastAnswer, inTime).toMatch(/^1 2 3/);
    await expect.poll(() => elsewhere(here), inTime).toBe('Answering in another tab');
    expect([await elsewhere(there), await talkOn(here).status()]).toEqual(['', 'streaming']);
    expect(await findFaults(here)).toEqual([]);
    await watched.picture('chat-other-tab');
    for (const tab of [here, there]) {
      await talkOn(tab).untilReady();
      expect(await talkOn(tab).lastAnswer()).toBe(counted(400));
      expect(await questions(tab)).toEqual(['What is 12 * 7?', 'Count to 400']);
      expect(await tab.getByTestId('ai-text').count()).toBe(2);
      expect(await elsewhere(tab)).toBe('');
    }
    expect(watched.complaints).toEqual([]);
  });

  it('show that a second message has interrupted the first', async () => {
    const [here, there] = await twoTabs('interrupt');
    await talkOn(there).say('Count to 1000');
    await expect.poll(talkOn(here).lastAnswer, inTime).toMatch(/^1 2 3/);
    await talkOn(here).say('What is 40 * 70?');
    for (const tab of [here, there]) {
      await expect.poll(talkOn(tab).lastAnswer, inTime).toContain('2800');
      await tab.getByText('Interrupted', { exact: true }).waitFor();
      expect(await questions(tab)).toEqual(['What is 12 * 7?', 'Count to 1000', 'What is 40 * 70?']);
    }
  });

  it('show that a second message is queued, if messages queue', async () => {
    const [here, there] = await twoTabs('enqueue');
    await talkOn(there).say('Count to 300');
    await expect.poll(talkOn(here).lastAnswer, inTime).toMatch(/^1 2 3/);
    await here.getByLabel('Message', { exact: true }).fill('What is 40 * 70?');
    await here.keyboard.press('Enter');
    for (const tab of [here, there]) await tab.getByText('Queued until the current answer ends').waitFor();
    for (const tab of [here, there]) {
      await expect.poll(talkOn(tab).lastAnswer, inTime).toContain('2800');
      expect(await tab.getByText('Queued until the current answer ends').count()).toBe(0);
      expect(await tab.getByTestId('ai-text').nth(1).innerText()).toBe(counted(300));
      expect(await questions(tab)).toEqual(['What is 12 * 7?', 'Count to 300', 'What is 40 * 70?']);
    }
  });
});
