import type { Browser, Page } from 'playwright-core';
import { type CountedRequest, countRequests } from './request-chain.js';

const BYTES_PER_SECOND = 400_000 / 8;
const LATENCY_MS = 400;
const SLOWER = 4;
const LONGEST_WAIT_MS = 120_000;

/** What came until a moment of a visit, and when that was. */
export interface Moment {
  /** Since the navigation began. */
  readonly ms: number;
  readonly requests: number;
  /** Of answers that had to come one after the other. */
  readonly longestChain: number;
  readonly bytes: number;
}

/** A view on slow 3G with a quarter of a processor, with nothing kept of an earlier visit. */
export interface SlowVisit {
  readonly page: Page;
  /** When an element was first there, as the page itself noted: asking from outside takes a slow processor a good while. */
  readonly untilThere: (selector: string) => Promise<Moment>;
  /** When a request was sent. */
  readonly untilSent: (is: (request: CountedRequest) => boolean) => Promise<Moment>;
  /** What scripts took until now, on the slowed processor. */
  readonly scriptMs: () => Promise<number>;
  readonly end: () => Promise<void>;
}

/** @param watched selectors that `untilThere` will be asked for */
export async function beginVisit(browser: Browser, url: string, watched: readonly string[]): Promise<SlowVisit> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const requests = await countRequests(session);
  await session.send('Performance.enable');
  const throughput = { downloadThroughput: BYTES_PER_SECOND, uploadThroughput: BYTES_PER_SECOND };
  await session.send('Network.emulateNetworkConditions', { offline: false, latency: LATENCY_MS, ...throughput });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(`globalThis.thereAt = {};
  new MutationObserver(() => {
    for (const selector of ${JSON.stringify(watched)})
      if (!(selector in thereAt) && document.querySelector(selector) !== null) thereAt[selector] = performance.now();
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });`);
  await page.goto(url, { waitUntil: 'commit' });

  const began = () => requests[0]?.atSeconds ?? 0;
  const momentOf = (ms: number): Moment => {
    const come = requests.filter(({ endSeconds = Infinity }) => endSeconds <= began() + ms / 1000);
    return {
      ms,
      requests: come.length,
      longestChain: Math.max(0, ...come.map(({ depth }) => depth)),
      bytes: come.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
    };
  };
  return {
    page,
    untilThere: async (selector) => {
      await page.locator(selector).first().waitFor({ state: 'attached', timeout: LONGEST_WAIT_MS });
      return momentOf(Number(await page.evaluate(`globalThis.thereAt[${JSON.stringify(selector)}]`)));
    },
    untilSent: async (is) => {
      const giveUpAt = Date.now() + LONGEST_WAIT_MS;
      while (!requests.some(is) && Date.now() < giveUpAt) await page.waitForTimeout(100);
      return momentOf(((requests.find(is)?.atSeconds ?? Number.NaN) - began()) * 1000);
    },
    scriptMs: async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN);
    },
    end: () => context.close(),
  };
}
