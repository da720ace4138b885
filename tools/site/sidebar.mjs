import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ text: string, items: { text: string, link: string }[] }} Part */
/** @typedef {readonly (readonly [text: string, pages: RegExp])[]} Plan - a page is in the first part that takes it */

const typesOf = (/** @type {string} */ name) =>
  /** @type {const} */ ([name, new RegExp(`^reference/types/${name}(/|\\.md$)`)]);

/**
 * The parts of each sidebar in their order, by the path of the pages that show it.
 * @param {readonly string[]} packages - names of those whose types are shown
 * @returns {Record<string, Plan>}
 */
const plans = (packages) => ({
  '/reference/types/': [['Types', /^reference\/types\/index\.md$/], ...packages.map(typesOf)],
  '/reference/': [
    ['Reference', /^reference\/index\.md$/],
    ['USSD', /^reference\/ussd-gateway\//],
    ['Chat', /^reference\/oracle-api\//],
    ['Chain', /^reference\/proto-gateway\//],
  ],
  '/adr/': [['Decisions', /^adr\//]],
  '/': [
    ['Begin', /^(index|overview|ARCHITECTURE)\.md$/],
    ['Guides', /^guides\//],
    ['Doors for other clients', /^doors\//],
    ['Operations', /^(operations|deploy|bench)\//],
    ['Services', /^services\/[^/]+\/index\.md$/],
    ['Plugins', /^services\/.*\/plugins\//],
    ['Packages', /^(packages|proto)\//],
    ['Examples', /^examples\//],
    ['The project', /^[A-Z]+\.md$/],
  ],
});

/**
 * @param {string} folder - of the pages
 * @param {readonly string[]} pages - relative to it, with forward slashes
 * @param {readonly string[]} packages - names of those whose types are shown
 * @returns {Record<string, Part[]>}
 */
export function sidebars(folder, pages, packages) {
  // The first page of a folder is the first of its part.
  const left = new Set([...pages].sort((one, other) => (rank(one) < rank(other) ? -1 : 1)));
  const parts = (/** @type {Plan} */ plan) =>
    plan.map(([text, pattern]) => {
      const own = [...left].filter((page) => pattern.test(page));
      for (const page of own) left.delete(page);
      const items = own.map((page) => ({ text: titleOf(readFileSync(join(folder, page), 'utf8')), link: `/${page}` }));
      return { text, items };
    });
  const made = Object.fromEntries(Object.entries(plans(packages)).map(([path, plan]) => [path, parts(plan)]));
  if (left.size > 0) throw new Error(`No sidebar has a place for ${[...left].join(', ')}.`);
  return made;
}

/** @param {string} page */
function rank(page) {
  return page.replace(/(^|\/)index\.md$/, '$1');
}

/**
 * @param {string} markdown
 * @returns {string} its first heading, as text
 */
function titleOf(markdown) {
  return /^# (.+)$/m.exec(markdown)?.[1]?.replace(/[`*\\]/g, '') ?? '';
}
