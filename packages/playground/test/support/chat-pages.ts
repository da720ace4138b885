import { createTestOracle } from '@mlango/oracle-api/testing';
import { findChromium } from '@mlango/test-services/find-chromium';
import { endPrograms } from '@mlango/test-services/program';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { openBrowser, openPage, type WatchedPage } from './real-browser.js';
import { startPlayground } from './running-doors.js';
import { type Dues, stagePlugin } from './stage-plugin.js';
import { type Talk, talkOn } from './talk.js';

export interface ChatPage extends WatchedPage {
  readonly talk: Talk;
}

/** Pages on a playground's chat, for the cases of one `describe`: each has a profile of its own, which goes with its case. */
export function chatPagesOn(start: () => Promise<string>) {
  let base: string;
  let browser: Browser;
  beforeAll(async () => {
    base = await start();
    browser = await openBrowser(findChromium());
  }, 120_000);
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    await endPrograms();
  });
  return {
    base: () => base,
    /** Resolves when the message box is there. */
    async open(options?: BrowserContextOptions, route = '#/chat'): Promise<ChatPage> {
      const watched = await openPage(browser, options);
      const talk = talkOn(watched.page);
      await watched.page.goto(`${base}/${route}`);
      await watched.page.getByLabel('Message', { exact: true }).waitFor();
      return { ...watched, talk };
    },
  };
}

/** The same with an oracle that has the plugin of the stage. */
export function stagedChatPages(dues: Dues = { claims: [] }) {
  let oracle: Awaited<ReturnType<typeof createTestOracle>>;
  afterAll(() => oracle?.close());
  return chatPagesOn(async () => {
    oracle = await createTestOracle({ plugins: [stagePlugin(dues)] });
    const ORACLE_URL = await oracle.listen({ host: '127.0.0.1', port: 0 });
    return startPlayground({ ORACLE_URL, ORACLE_DID: oracle.oracle.did });
  });
}
