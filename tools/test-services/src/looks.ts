import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findFaults, overhang } from './find-faults.js';

const desktop = { width: 1280, height: 800 };
const phone = { width: 375, height: 667 };

/** How people see a page: on which screen, in which colours. */
export const looks = {
  'desktop-light': { viewport: desktop, colorScheme: 'light' },
  'desktop-dark': { viewport: desktop, colorScheme: 'dark' },
  'phone-light': { viewport: phone, colorScheme: 'light' },
  'phone-dark': { viewport: phone, colorScheme: 'dark' },
} as const;

export type Look = keyof typeof looks;

export const onDesktops: readonly Look[] = ['desktop-light', 'desktop-dark'];
export const onPhones: readonly Look[] = ['phone-light', 'phone-dark'];
const all: readonly Look[] = [...onDesktops, ...onPhones];

export interface ShownPage {
  readonly page: Page;
  /** Stores a screenshot of the whole page; omitted: none is stored. */
  readonly picture?: (name: string) => Promise<void>;
}

/** Rules with a result that depends on colours only. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/**
 * Checks the page in every look, stores a screenshot of each, and ends in the first one.
 * @param some the looks to check, for views that exist on one kind of screen only. Default: all.
 */
export async function isSoundInEveryLook({ page, picture }: ShownPage, name: string, some = all): Promise<void> {
  let judged = 0;
  for (const look of some.toReversed()) {
    const { viewport, colorScheme } = looks[look];
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const isResized = judged !== viewport.width;
    judged = viewport.width;
    expect(await findFaults(page, isResized ? undefined : ofColours), `${name}-${look}`).toEqual([]);
    if (isResized) expect(await overhang(page), `${name}-${look}`).toBe(0);
    await picture?.(`${name}-${look}`);
  }
}
