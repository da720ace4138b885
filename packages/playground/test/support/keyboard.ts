import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Maximum number of key presses to reach an element. */
const presses = 90;

/** The approximate accessible name of the focused element. */
const focused = `(({ activeElement: one }) =>
  (one.ariaLabel ?? one.labels?.[0]?.innerText ?? one.innerText ?? '').trim())(document)`;

/** Focuses the element with this name by Tab. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const nameNow = () => page.evaluate<string>(focused);
  for (let count = 0; count < presses && !name.test(await nameNow()); count += 1) await page.keyboard.press('Tab');
  expect(await nameNow()).toMatch(name);
}

/** The part of the browser API that is used; the tests have no DOM types. */
interface Placed {
  compareDocumentPosition(other: unknown): number;
}

/** The position of an element relative to the focus. Runs in the page. */
function seenFromFocus(one: unknown): 'here' | 'before' | 'behind' {
  const { document } = globalThis as unknown as { document: { activeElement: Placed; body: unknown } };
  const { activeElement: now, body } = document;
  if (now === one) return 'here';
  // 2: it precedes.
  return now !== body && (now.compareDocumentPosition(one) & 2) !== 0 ? 'before' : 'behind';
}

/** Moves the focus to an element by Tab, forwards or backwards, if a pointer could reach it. */
export async function reach(one: Locator): Promise<void> {
  await one.click({ trial: true });
  await go(one);
}

async function go(one: Locator): Promise<void> {
  const { keyboard } = one.page();
  for (let count = 0; count < presses; count += 1) {
    const place = await one.evaluate(seenFromFocus);
    if (place === 'here') return;
    await keyboard.press(place === 'before' ? 'Shift+Tab' : 'Tab');
  }
  expect.unreachable('nothing of that place is reached by Tab');
}

/** Presses a button, a link or a summary by the keyboard. */
export async function press(one: Locator): Promise<void> {
  await reach(one);
  await one.page().keyboard.press('Enter');
}

/** Replaces the text of a field by keyboard. */
export async function write(one: Locator, text: string): Promise<void> {
  const { keyboard } = one.page();
  await reach(one);
  await keyboard.press('Control+A');
  await keyboard.press('Delete');
  await keyboard.type(text);
}

/** Selects an option by typing its first letters. */
export async function choose(one: Locator, wanted: string): Promise<void> {
  await reach(one);
  await one.page().keyboard.type(wanted);
  expect((await one.inputValue()).toLowerCase()).toBe(wanted.toLowerCase());
}

type Files = Parameters<Locator['setInputFiles']>[0];

/** Opens the file dialogue by the keyboard. The focused element may be invisible, behind a label. */
export async function chooseFiles(one: Locator, files: Files): Promise<void> {
  // Installed before navigation, so that it is in place on load.
  const chooser = one.page().waitForEvent('filechooser');
  await go(one);
  await one.page().keyboard.press('Enter');
  await (await chooser).setFiles(files);
}
