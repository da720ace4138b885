import { createTestOracle } from '@mlango/oracle-api/testing';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll } from 'vitest';
import { pagesOn } from './pages.js';
import type { WatchedPage } from './real-browser.js';
import { startPlayground } from './running-doors.js';
import { type Dues, stagePlugin } from './stage-plugin.js';
import { type Talk, talkOn } from './talk.js';

export interface ChatPage extends WatchedPage {
  readonly talk: Talk;
}

/** `pagesOn`, on the chat. */
export function chatPagesOn(start: () => Promise<string>) {
  const pages = pagesOn(start);
  return {
    ...pages,
    /** Resolves when the message box is visible. */
    async open(options?: BrowserContextOptions, route = '#/chat'): Promise<ChatPage> {
      const watched = await pages.blank(options);
      await watched.page.goto(`${pages.base()}/${route}`);
      await watched.page.getByLabel('Message', { exact: true }).waitFor();
      return { ...watched, talk: talkOn(watched.page) };
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
