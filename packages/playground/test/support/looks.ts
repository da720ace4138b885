import { findFaults, overhang } from '@mlango/test-services/find-faults';
import { expect } from 'vitest';
import type { WatchedPage } from './real-browser.js';

const desktop = { width: 1280, height: 800 };
const phone = { width: 375, height: 667 };

/** How people see the page: on which screen, in which colours. */
export const looks = {
  'desktop-light': { viewport: desktop, colorScheme: 'light' },
  'desktop-dark': { viewport: desktop, colorScheme: 'dark' },
  'phone-light': { viewport: phone, colorScheme: 'light' },
  'phone-dark': { viewport: phone, colorScheme: 'dark' },
} as const;

export type Look = keyof typeof looks;

/** What may differ where nothing but colours does. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** Judges what is shown in every look, keeps a picture of each, and leaves the first one. */
export async function isSoundInEveryLook({ page, picture }: WatchedPage, name: string): Promise<void> {
  let judged = 0;
  for (const [look, { viewport, colorScheme }] of Object.entries(looks).toReversed()) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const isResized = judged !== viewport.width;
    judged = viewport.width;
    expect(await findFaults(page, isResized ? undefined : ofColours), look).toEqual([]);
    if (isResized) expect(await overhang(page), look).toBe(0);
    await picture(`${name}-${look}`);
  }
}
