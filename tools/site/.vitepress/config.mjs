import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const srcDir = join(dist, 'pages');
const pages = readdirSync(srcDir, { recursive: true, encoding: 'utf8' })
  .map((page) => page.replaceAll('\\', '/'))
  .filter((page) => page.endsWith('.md'))
  // The first page of a folder stands before the others.
  .toSorted((one, other) => (one.replace(/index\.md$/, '') < other.replace(/index\.md$/, '') ? -1 : 1));

const textOf = (/** @type {string} */ page) => readFileSync(join(srcDir, page), 'utf8');
/** A tutorial has numbered steps. */
const isTutorial = (/** @type {string} */ page) => /^## 1\. /m.test(textOf(page));

/**
 * @param {string} text
 * @param {RegExp} pattern - of the pages
 * @param {(page: string) => boolean} [isWanted]
 */
function part(text, pattern, isWanted = () => true) {
  const items = pages
    .filter((page) => pattern.test(page) && isWanted(page))
    .map((page) => {
      const title = /^# (.+)$/m.exec(textOf(page))?.[1] ?? page;
      return { text: title.replace(/[`*\\]/g, ''), link: `/${page}` };
    });
  return { text, items };
}

export default defineConfig({
  title: 'Mlango',
  description: 'Three doors to one network of people, agents and a chain.',
  lang: 'en',
  // The path that the site is served below, such as /mlango/.
  base: process.env['DOCS_BASE'] ?? '/',
  srcDir,
  outDir: join(dist, 'html'),
  cacheDir: join(dist, 'cache'),
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // The search index is one file, loaded on the first search.
  vite: { build: { chunkSizeWarningLimit: 8_000 } },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { redis: 'shellscript' },
    config(markdown) {
      // Inline code such as `{{ name }}` is no Vue expression.
      markdown.renderer.rules['code_inline'] = (tokens, index) =>
        `<code v-pre>${markdown.utils.escapeHtml(tokens[index]?.content ?? '')}</code>`;
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Tutorials', link: '/guides/your-first-oracle' },
      { text: 'Operations', link: '/operations/' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Decisions', link: '/adr/' },
    ],
    sidebar: {
      '/reference/': [part('Reference', /^reference\/[^/]+\.md$/), part('Types', /^reference\/types\//)],
      '/adr/': [part('Decisions', /^adr\//)],
      '/': [
        part('Start', /^(index|overview|glossary|ARCHITECTURE)\.md$/),
        part('Tutorials', /^guides\//, isTutorial),
        part('References', /^guides\//, (page) => !isTutorial(page)),
        part('Clients', /^protocols\//),
        part('Operations', /^(operations|deploy|bench)\//),
        part('Services', /^services\/[^/]+\/index\.md$/),
        part('Plugins', /^services\/.*\/plugins\//),
        part('Packages', /^(packages|proto)\//),
        part('Examples', /^examples\//),
        part('The project', /^([B-Z]+\.md$|development\/)/),
      ],
    },
  },
});
