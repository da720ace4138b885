// npm run docs:build: the pages of this repository and references made from the code as a static site, in tools/site/dist/html.
// Needs the build. Fails on a link or an anchor that leads nowhere, and on a code block that cannot be read as what it says it is.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, resolveConfig } from 'vitepress';
import { projectFiles, repositoryRoot } from '../checks/project-files.mjs';
import { reportAndExit } from '../checks/report.mjs';
import { brokenLinks } from './check/built-links.mjs';
import { codeBlocks, problemsIn } from './check/code-blocks.mjs';
import { pageOf } from './pages.mjs';
import { describedServices } from './reference/descriptions.mjs';
import { documentPages } from './reference/document.mjs';
import { publishedDoors, writeTypePages } from './reference/types.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const place = join(here, 'dist');
const pages = join(place, 'pages');

/**
 * @param {string} path - below the pages
 * @param {string} text
 */
function write(path, text) {
  mkdirSync(dirname(join(pages, path)), { recursive: true });
  writeFileSync(join(pages, path), text);
}

/** @returns {Promise<string[]>} what is wrong with the code in the pages */
async function writePages() {
  rmSync(place, { recursive: true, force: true });
  const sources = projectFiles().flatMap((file) => {
    const page = pageOf(file);
    return page === undefined ? [] : [{ file, page, text: readFileSync(join(repositoryRoot, file), 'utf8') }];
  });
  for (const { page, text } of sources) write(page, text);
  cpSync(join(repositoryRoot, 'docs/doors.svg'), join(pages, 'doors.svg'));
  const [documents, doors] = await Promise.all([
    describedServices(repositoryRoot),
    writeTypePages(publishedDoors(repositoryRoot), { scratch: place, out: join(pages, 'reference/types') }),
  ]);
  for (const [name, document] of documents) {
    for (const [path, text] of documentPages(name, document)) write(`reference/${name}/${path}`, text);
    write(`public/reference/${name}/openapi.json`, JSON.stringify(document));
  }
  write('reference/index.md', referencePage([...documents.keys()], existsSync(join(pages, 'operations/metrics.md'))));
  return sources.flatMap(({ file, text }) =>
    codeBlocks(text).flatMap((block) => problemsIn(block, doors).map((problem) => `${file}:${block.line}: ${problem}`)),
  );
}

/**
 * @param {readonly string[]} services
 * @param {boolean} hasMetrics
 */
function referencePage(services, hasMetrics) {
  return [
    '# Reference',
    'Made from the code of this version, each time the site is built.',
    ...services.map((name) => `- [Routes of ${name}](./${name}/index.md), from what it says of itself`),
    '- [Types of the packages](./types/index.md), from the declarations that are published',
    ...(hasMetrics ? ['- [Metrics](../operations/metrics.md), by name'] : []),
  ].join('\n\n');
}

/**
 * @param {string} folder
 * @returns {string[]} paths of its files relative to it, with forward slashes
 */
function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

const unread = await writePages();
await build(here);
const { outDir, site } = await resolveConfig(here);
const files = filesIn(outDir);
const html = files.filter((file) => file.endsWith('.html') && file !== '404.html');
const built = new Map(html.map((file) => [file, readFileSync(join(outDir, file), 'utf8')]));
reportAndExit('docs', [...unread, ...brokenLinks(built, new Set(files), site.base)]);
