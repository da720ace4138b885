import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** As far as anybody would press Tab. */
const presses = 60;

/** The name of what has the focus, as assistive technology has it, near enough. */
const focused = `(({ activeElement: one }) =>
  (one.ariaLabel ?? one.labels?.[0]?.innerText ?? one.innerText ?? '').trim())(document)`;

/** Goes by Tab, as somebody without a mouse does, to what is called so. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const nameNow = () => page.evaluate<string>(focused);
  for (let count = 0; count < presses && !name.test(await nameNow()); count += 1) await page.keyboard.press('Tab');
  expect(await nameNow()).toMatch(name);
}
