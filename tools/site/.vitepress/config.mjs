import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { manifestIn, PUBLISHED } from '../../checks/packing.mjs';
import { projectFiles, repositoryRoot } from '../../checks/project-files.mjs';
import { repositoryLinks } from '../links.mjs';
import { withFolders } from '../pages.mjs';
import { plainText } from '../plain-text.mjs';
import { sidebars } from '../sidebar.mjs';

const place = fileURLToPath(new URL('../dist', import.meta.url));
const pages = readdirSync(join(place, 'pages'), { recursive: true, encoding: 'utf8' })
  .map((page) => page.replaceAll('\\', '/'))
  .filter((page) => page.endsWith('.md'));
const packages = PUBLISHED.map((folder) => manifestIn(join(repositoryRoot, folder)).name);
const files = projectFiles();
const repository = { files, known: withFolders(files) };

export default defineConfig({
  title: 'Mlango',
  description: 'Three doors to one network of people, agents and a chain.',
  lang: 'en',
  // Where the site is served below a path of its own, such as /mlango/.
  base: process.env['DOCS_BASE'] ?? '/',
  srcDir: join(place, 'pages'),
  outDir: join(place, 'html'),
  cacheDir: join(place, 'cache'),
  // Nothing else is asked for than what is built.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // The index of the search is one file, loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 8_000 } },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { redis: 'shellscript' },
    // Pages are read elsewhere, too, where neither elements nor Vue's expressions mean anything.
    html: false,
    config: (markdown) => {
      plainText(markdown);
      repositoryLinks(markdown, repository);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guides', link: '/guides/your-first-oracle' },
      { text: 'Operations', link: '/operations/' },
      { text: 'Routes', link: '/reference/' },
      { text: 'Types', link: '/reference/types/' },
      { text: 'Decisions', link: '/adr/' },
    ],
    sidebar: sidebars(join(place, 'pages'), pages, packages),
  },
});
