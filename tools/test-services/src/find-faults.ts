import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Fault {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/**
 * Serious and critical faults that axe finds on a page, each with the first place it is at.
 * @param rules ids of axe's rules. Default: all.
 */
export async function findFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Half a megabyte: once for each document.
  if ((await page.evaluate('typeof globalThis.axe')) === 'undefined') await page.evaluate(axe);
  const options = rules === undefined ? {} : { runOnly: rules };
  const faults = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as readonly Fault[];
  return faults
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary ?? ''}`);
}

/** The horizontal overflow of a page, in pixels; 0 if it needs no sideways scrolling. */
export async function overhang(page: Page): Promise<number> {
  return (await page.evaluate(
    'Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)',
  )) as number;
}
