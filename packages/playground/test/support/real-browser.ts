import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Folder of the screenshots. */
const pictures = fileURLToPath(new URL('../../../../artifacts/screenshots/', import.meta.url));

/** A page, and the errors that its browser reported. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: string[];
  /** The layout shift score of browsers: 0 is none, more than 0.1 is poor. */
  readonly layoutShift: () => Promise<number>;
  /** Stores a screenshot of the whole page. */
  readonly picture: (name: string) => Promise<void>;
}

const watchShifts = `globalThis.layoutShift = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) globalThis.layoutShift += one.value; })
    .observe({ type: 'layout-shift', buffered: true });`;

export function openBrowser(executablePath: string | undefined): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath ?? '',
    // Containers have neither user namespaces nor much shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });
}

/** A page in a new profile. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.addInitScript(watchShifts);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error.stack)));
  return {
    page,
    complaints,
    layoutShift: async () => Number(await page.evaluate('globalThis.layoutShift')),
    picture: async (name) => {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${pictures}${name}.png`, fullPage: true });
    },
  };
}
