import { findChromium } from '@mlango/test-services/find-chromium';
import { findFaults } from '@mlango/test-services/find-faults';
import { isSoundInEveryLook } from '@mlango/test-services/looks';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chooseFiles, press, reach, tabTo } from './support/keyboard.js';
import { pagesOn } from './support/pages.js';
import { oracleEntity, startOracle, startPlayground } from './support/running-doors.js';
import { talkOn } from './support/talk.js';

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)('the developer panel', { timeout: 60_000 }, () => {
  const pages = pagesOn(async () => startPlayground({ ORACLE_URL: await startOracle(), ORACLE_DID: oracleEntity }));

  const figure = (page: Page, name: string) =>
    page.locator('.figures > div').filter({ hasText: name }).locator('dd').innerText();

  async function openAt(options: BrowserContextOptions) {
    const watched = await pages.blank(options);
    await watched.page.goto(`${pages.base()}/#/chat`);
    await watched.page.getByLabel('Message', { exact: true }).waitFor();
    return watched;
  }

  it.each([
    { name: 'desktop', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
    { name: 'phone', colorScheme: 'dark', viewport: { width: 375, height: 667 } },
  ] as const)('shows a run, replays it, and saves it to a file: $name', async ({ name, ...options }) => {
    const { page, complaints, picture } = await openAt(options);
    await talkOn(page).say('Describe window');
    await talkOn(page).untilReady();
    await press(page.getByRole('button', { name: 'Developer panel' }));
    await page.getByText('Time to first token').waitFor();
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Close the developer panel');
    await expect.poll(() => figure(page, 'Status')).toBe('finished');
    expect(await figure(page, 'Time to first token')).toMatch(/^\d+\.\d+ s$/);
    expect([await figure(page, 'Steps'), await figure(page, 'Calls')]).toEqual(['2', '1']);
    expect(await figure(page, 'Tokens')).toMatch(/^about \d+ in, \d+ out$/);
    expect(await figure(page, 'Cost')).toBe('none: no credits here');
    const timeline = page.getByRole('region', { name: 'Timeline' });
    expect(await timeline.innerText()).toMatch(/Tool call[\s\S]*describe_window[\s\S]*Done\s+finished/);

    const slider = page.getByRole('slider', { name: 'Moment' });
    await reach(slider);
    await page.keyboard.press('Home');
    expect(await page.getByTestId('replay-at').innerText()).toMatch(/^0 of /);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    const asItWas = page.getByRole('region', { name: 'The answer at this moment' });
    await asItWas.getByTestId('tool-call').getByText('describe_window').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await picture(`developer-panel-replay-${name}`);
    await press(page.getByRole('button', { name: 'Play', exact: true }));
    await asItWas.waitFor({ state: 'detached' });

    const download = page.waitForEvent('download');
    await press(page.getByRole('button', { name: 'Save as file' }));
    const path = await (await download).path();
    const shown = await timeline.innerText();
    const there = await openAt({});
    await press(there.page.getByRole('button', { name: 'Developer panel' }));
    await chooseFiles(there.page.getByLabel('Open a file'), path);
    await there.page.getByRole('heading', { name: 'Run from a file' }).waitFor();
    expect(await there.page.getByRole('region', { name: 'Timeline' }).innerText()).toBe(shown);
    await chooseFiles(there.page.getByLabel('Open a file'), {
      name: 'run.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"kind":"mlango-run"}'),
    });
    await there.page.getByRole('alert').getByText('This file is not a recorded run: see version.').waitFor();
    expect([...complaints, ...there.complaints]).toEqual([]);
    await there.page.context().close();
  });

  it('has no serious fault without a run, and with one', async () => {
    const watched = await openAt({});
    const { page, complaints } = watched;
    await tabTo(page, /^Developer panel$/);
    await page.keyboard.press('Enter');
    await page.getByText('Send a message to see its run here').waitFor();
    await isSoundInEveryLook(watched, 'developer-panel-empty');
    await page.keyboard.press('Enter');
    await talkOn(page).say('Describe window');
    await talkOn(page).untilReady();
    await tabTo(page, /^Developer panel$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => figure(page, 'Status')).toBe('finished');
    await isSoundInEveryLook(watched, 'developer-panel');
    expect(complaints).toEqual([]);
  });
});
