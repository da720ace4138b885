import { findChromium } from '@mlango/test-services/find-chromium';
import { findFaults } from '@mlango/test-services/find-faults';
import { isSoundInEveryLook } from '@mlango/test-services/looks';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ChatPage, chatPagesOn } from './support/chat-pages.js';
import { press, tabTo, write } from './support/keyboard.js';
import { oracleEntity, startOracle, startPlayground } from './support/running-doors.js';
import { talkOn } from './support/talk.js';

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)('a call that waits for approval', { timeout: 120_000 }, () => {
  const pages = chatPagesOn(async () => {
    const ORACLE_URL = await startOracle({ TOOL_APPROVAL: 'remember=ask' });
    return startPlayground({ ORACLE_URL, ORACLE_DID: oracleEntity });
  });
  let watched: ChatPage;
  let page: Page;

  beforeEach(async () => {
    watched = await pages.open();
    ({ page } = watched);
    await watched.talk.untilListed();
  });

  const request = (tab: Page) => tab.getByRole('region', { name: 'remember', exact: true });
  const pressNamed = (tab: Page, name: string) => press(request(tab).getByRole('button', { name, exact: true }));
  async function ask(words = 'Remember that my goat is called Zuri') {
    await talkOn(page).say(words);
    await request(page).waitFor();
  }

  it('is shown with all of its arguments, also after a reload and in another tab, and continues when it is allowed there', async () => {
    await ask();
    const words = await request(page).innerText();
    expect(words).toContain('The operator of this service requires your approval.');
    expect(words).toMatch(/content\s+my goat is called Zuri/);
    await isSoundInEveryLook(watched, 'chat-approval');
    await page.reload();
    await request(page).waitFor();
    const there = await page.context().newPage();
    await there.goto(page.url());
    await request(there).waitFor();
    await pressNamed(there, 'Allow');
    for (const tab of [there, page]) {
      await request(tab).waitFor({ state: 'detached' });
      await tab.getByTestId('tool-call').filter({ hasText: 'remember' }).getByText('Done').waitFor();
      expect(await tab.getByTestId('ai-text').count()).toBe(1);
    }
    expect(watched.complaints).toEqual([]);
  });

  it('is denied with a reason, by the keyboard alone', async () => {
    await ask();
    await page.evaluate('document.activeElement.blur()');
    await tabTo(page, /^Reason \(optional/);
    await page.keyboard.type('It has another name by now.');
    await tabTo(page, /^Deny$/);
    await page.keyboard.press('Enter');
    await request(page).waitFor({ state: 'detached' });
    await expect.poll(talkOn(page).lastAnswer, { timeout: 30_000 }).toContain('It has another name by now.');
    expect(watched.complaints).toEqual([]);
  });

  it('runs with the arguments edited by its user', async () => {
    await ask();
    await pressNamed(page, 'Edit arguments');
    await write(request(page).getByLabel('content', { exact: true }), 'my goat is called Nuru');
    await isSoundInEveryLook(watched, 'chat-approval-changing');
    await pressNamed(page, 'Edit as JSON');
    const field = request(page).getByRole('textbox', { name: 'Edited arguments' });
    expect(JSON.parse(await field.inputValue())).toEqual({ content: 'my goat is called Nuru' });
    await write(field, '{"content"');
    await request(page).getByText('This is not a JSON object. Check the brackets and quotes.').waitFor();
    await write(field, '{"content":"my goat is called Nuru"}');
    expect(await findFaults(page)).toEqual([]);
    await pressNamed(page, 'Allow with edits');
    await request(page).waitFor({ state: 'detached' });
    const call = page.getByTestId('tool-call').filter({ hasText: 'remember' });
    await call.getByText('Done').waitFor();
    await press(call.locator('summary'));
    // The card shows the proposed arguments until the stored call with the final ones arrives.
    await call.getByText('my goat is called Nuru').first().waitFor();
  });

  it('is not requested again after “always”, by keyboard', async () => {
    await ask();
    await tabTo(page, /^Always allow$/);
    await page.keyboard.press('Enter');
    await request(page).waitFor({ state: 'detached' });
    await talkOn(page).untilReady();
    await talkOn(page).say('Remember that my cow is called Pendo');
    await page.getByTestId('tool-call').filter({ hasText: 'Pendo' }).getByText('Done').waitFor();
    expect(await request(page).count()).toBe(0);
  });

  it('is requested again after the rule is removed, by keyboard', async () => {
    await ask();
    await pressNamed(page, 'Always allow');
    await request(page).waitFor({ state: 'detached' });
    await talkOn(page).untilReady();
    await page.goto(`${pages.base()}/#/account/always`);
    const allowed = page.getByRole('region', { name: 'Always allowed' });
    await allowed.getByText('remember (memory)').waitFor();
    await isSoundInEveryLook(watched, 'account-always');
    await tabTo(page, /^Take back/);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('needs your approval').waitFor();
    await allowed.getByText('Nothing yet').waitFor();
    await isSoundInEveryLook(watched, 'account-always-none');
    await page.goto(`${pages.base()}/#/chat`);
    await ask('Remember that my cow is called Pendo');
    expect(watched.complaints).toEqual([]);
  });
});
