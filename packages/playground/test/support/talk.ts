import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { write } from './keyboard.js';

/** The actions and views of a user in the chat. */
export interface Talk {
  /** Resolves when the list of conversations is loaded and empty. */
  readonly untilListed: () => Promise<void>;
  /** Sends a message, by the keyboard. */
  readonly say: (message: string) => Promise<void>;
  /** Resolves when nothing is pending. */
  readonly untilReady: () => Promise<void>;
  readonly status: () => Promise<string>;
  readonly lastAnswer: () => Promise<string>;
}

export function talkOn(page: Page): Talk {
  const status = () => page.getByTestId('status').innerText();
  return {
    status,
    untilListed: () => page.getByRole('navigation', { name: 'Conversations' }).getByText('No conversations').waitFor(),
    say: async (message) => {
      const answers = await page.getByTestId('ai-text').count();
      await write(page.getByLabel('Message', { exact: true }), message);
      await page.keyboard.press('Enter');
      await expect.poll(() => page.getByTestId('ai-text').count(), { timeout: 30_000 }).toBeGreaterThan(answers);
    },
    untilReady: async () => {
      await expect.poll(status, { timeout: 40_000, interval: 100 }).toBe('ready');
    },
    lastAnswer: () => page.getByTestId('ai-text').last().innerText(),
  };
}

/** The built-in model's answer to "count". */
export function counted(to: number): string {
  return Array.from({ length: to }, (_, index) => index + 1).join(' ');
}
