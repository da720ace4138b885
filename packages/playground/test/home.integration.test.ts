import { findChromium } from '@mlango/test-services/find-chromium';
import { isSoundInEveryLook } from '@mlango/test-services/looks';
import { describe, expect, it } from 'vitest';
import { press } from './support/keyboard.js';
import { pagesOn } from './support/pages.js';
import { startOracle, startPlayground, startQueryGateway, startUssdGateway } from './support/running-doors.js';

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)('the home page', { timeout: 60_000 }, () => {
  const pages = pagesOn(async () => {
    const [ussd, chain] = await Promise.all([startUssdGateway(), startQueryGateway()]);
    const oracle = await startOracle({ PROTO_GATEWAY_URL: chain });
    return startPlayground({ USSD_GATEWAY_URL: ussd, PROTO_GATEWAY_URL: chain, ORACLE_URL: oracle });
  });

  it('shows live previews of the services in both themes', async () => {
    const watched = await pages.blank({ reducedMotion: 'reduce' });
    const { page, complaints, layoutShift } = watched;
    await page.goto(pages.base());
    await expect.poll(() => page.getByTestId('glimpse-phone').innerText()).toContain('Welcome');
    const height = async () => Number((await page.getByTestId('glimpse-height').innerText()).replaceAll(',', ''));
    await expect.poll(height, { timeout: 15_000 }).toBeGreaterThan(0);
    const first = await height();
    await expect.poll(height, { timeout: 15_000 }).toBeGreaterThan(first);
    expect(await layoutShift()).toBeLessThan(0.01);
    expect(await page.evaluate('getComputedStyle(document.querySelector(".tick")).animationName')).toBe('none');
    await isSoundInEveryLook(watched, 'doors');
    expect(complaints).toEqual([]);
  });

  it('shows an answer without a click, which can be continued in the chat, and requests it once', async () => {
    const { page, complaints } = await pages.blank();
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/oracle/messages')) posts.push(request.url());
    });
    await page.goto(pages.base());
    const continued = page.getByRole('link', { name: 'Continue in the chat' });
    await continued.waitFor();
    const answer = await page.getByTestId('glimpse-answer').innerText();
    expect(answer.length).toBeGreaterThan(40);
    await page.reload();
    await continued.waitFor();
    expect(await page.getByTestId('glimpse-answer').innerText()).toBe(answer);
    expect(posts).toHaveLength(1);
    await press(continued);
    await expect.poll(() => page.getByTestId('human-text').innerText()).toBe('What can you do?');
    expect(complaints).toEqual([]);
  });

  it('marks an unavailable service until it answers', async () => {
    const { page } = await pages.blank();
    await page.route('**/doors.json', (route) => route.fulfill({ json: { phone: true, chat: false, chain: true } }), {
      times: 1,
    });
    await page.goto(pages.base());
    await page.getByText('Not available:').waitFor();
    await page.getByTestId('glimpse-answer').waitFor({ timeout: 15_000 });
    expect(await page.getByText('Not available:').count()).toBe(0);
  });
});
