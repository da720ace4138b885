import { findChromium } from '@mlango/test-services/find-chromium';
import { findFaults, overhang } from '@mlango/test-services/find-faults';
import { isSoundInEveryLook } from '@mlango/test-services/looks';
import { describe, expect, it } from 'vitest';
import { press } from './support/keyboard.js';
import { pagesOn } from './support/pages.js';
import { startPlayground } from './support/running-doors.js';

const executablePath = findChromium();

describe.skipIf(executablePath === undefined)('the page', { timeout: 60_000 }, () => {
  const pages = pagesOn(() => startPlayground({}));

  it.each(['light', 'dark'] as const)('has no serious accessibility fault in %s', async (colorScheme) => {
    const { page, complaints, picture } = await pages.blank({ colorScheme });
    await page.goto(pages.base());
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.getByText('Not available:').count()).toBe(3);
    expect(await page.getByText('node services/oracle-api/dist/main.js').isVisible()).toBe(true);
    expect(await findFaults(page)).toEqual([]);
    await picture(`shut-doors-${colorScheme}`);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await overhang(page)).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('remembers the selected theme, from the first paint on', async () => {
    const { page } = await pages.blank({ colorScheme: 'light' });
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.goto(pages.base());
    await page.getByRole('heading', { level: 1 }).waitFor();
    const light = await ground();
    await page.getByText('Dark', { exact: true }).click();
    const dark = await ground();
    expect(dark).not.toBe(light);
    // Before any script of the page itself has run.
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.reload({ waitUntil: 'commit' });
    await expect.poll(ground).toBe(dark);
  });

  it('is navigated by Tab and Enter, and announces the page', async () => {
    const { page, complaints } = await pages.blank();
    await page.goto(pages.base());
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const title = page.getByRole('heading', { level: 1, name: 'A phone without internet' });
    await title.waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(await page.title()).toBe('A phone without internet · Mlango');
    expect(complaints).toEqual([]);
  });

  it('suggests the closest match for an unknown address', async () => {
    const watched = await pages.blank();
    const { page } = watched;
    const reply = await page.goto(`${pages.base()}/acount/keys`);
    expect(reply?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await isSoundInEveryLook(watched, 'lost');
    await press(page.getByText('Did you mean').getByRole('link', { name: 'API keys' }));
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await page.goto(`${pages.base()}/#/%E0%A4`);
    await page.getByText('#/%25E0%25A4').waitFor();
    expect((await page.goto(`${pages.base()}/%E0%A4`))?.status()).toBe(400);
    expect((await fetch(`${pages.base()}/nowhere`)).headers.get('content-type')).toContain('application/json');
  });

  it('runs no injected script, and requests its own server only', async () => {
    const { page } = await pages.blank();
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await page.goto(`${pages.base()}/#/phone`);
    await page.getByRole('button', { name: 'Call' }).waitFor();
    await page.evaluate(`{
      const script = document.createElement('script');
      try { script.textContent = 'globalThis.wasRun = true'; document.head.append(script); } catch {}
    }`);
    expect(await page.evaluate('globalThis.wasRun === undefined')).toBe(true);
    expect([...hosts]).toEqual([new URL(pages.base()).host]);
  });

  it('requests the list in parallel with the view, once, without layout shift', async () => {
    const { page, layoutShift } = await pages.blank();
    let arrive = () => {};
    const held = new Promise<void>((resolve) => (arrive = resolve));
    await page.route(/assets\/chain-page-[^/]*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    const lists: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/chain/proto/claims/claims?')) lists.push(request.url());
    });
    await page.goto(`${pages.base()}/#/chain/claims`, { waitUntil: 'commit' });
    await page.getByText('Loading…').waitFor();
    await expect.poll(() => lists.length).toBe(1);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0);
    arrive();
    await page.getByRole('button', { name: 'Retry' }).waitFor();
    expect(lists).toHaveLength(1);
    expect(await layoutShift()).toBeLessThan(0.01);
  });

  it.each(['', '#/phone'])('has no layout shift: %j', async (route) => {
    const { page, layoutShift } = await pages.blank();
    await page.goto(`${pages.base()}/${route}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await layoutShift()).toBeLessThan(0.01);
  });
});
