// npm run docs: the pages of the repository, the routes of the services and the types of the packages as a static site in
// tools/site/dist/html, served at DOCS_PORT (3006). `--check` builds it only. Needs the build. VitePress refuses dead links.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';
import { build, serve } from 'vitepress';
import { embeddedServices } from '../checks/embedded-services.mjs';
import { PUBLISHED } from '../checks/packing.mjs';
import { projectFiles, repositoryRoot } from '../checks/project-files.mjs';
import { pageOf, pageText, withFolders } from './pages.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, 'dist');
const pages = join(dist, 'pages');

/** @param {string} path - below the pages @param {string} text */
function write(path, text) {
  mkdirSync(dirname(join(pages, path)), { recursive: true });
  writeFileSync(join(pages, path), text);
}

function writeRepositoryPages() {
  const files = projectFiles();
  const known = withFolders(files);
  for (const file of files) {
    const page = pageOf(file);
    if (page !== undefined) write(page, pageText(file, readFileSync(join(repositoryRoot, file), 'utf8'), known));
  }
  for (const file of files.filter((one) => /^docs\/.+\.(svg|png)$/.test(one))) {
    cpSync(join(repositoryRoot, file), join(pages, file.slice('docs/'.length)));
  }
}

/** One page per service, rendered by vitepress-openapi from the service's own description. */
async function writeRoutePages() {
  const { services, close } = await embeddedServices(join(dist, 'data'));
  for (const { name, app } of services) {
    const { payload } = await app.inject('/docs/json');
    write(`reference/${name}.json`, payload);
    const script = `<script setup>\nimport description from './${name}.json';\n</script>`;
    const page = [
      '---',
      'aside: false',
      'outline: false',
      '---',
      '',
      `# Routes of ${name}`,
      '',
      script,
      '',
      '<ClientOnly><OASpec :spec="description" /></ClientOnly>',
      '',
    ];
    write(`reference/${name}.md`, page.join('\n'));
  }
  await close();
  const links = services.map(({ name }) => `- [Routes of ${name}](./${name}.md)`);
  const others = ['- [Types of the packages](./types/index.md)', '- [Metrics](../operations/metrics.md)', ''];
  write(
    'reference/index.md',
    ['# Reference', '', 'Made from the code of this version.', '', ...links, ...others].join('\n'),
  );
}

/** One page per entry point of a published package, from its declarations. */
async function writeTypePages() {
  const entries = PUBLISHED.flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(repositoryRoot, folder, 'package.json'), 'utf8'));
    return Object.entries(exports).flatMap(([path, { types }]) =>
      types === undefined ? [] : [{ name: join(name, path), types: join(repositoryRoot, folder, types) }],
    );
  });
  const files = entries.map(({ types }) => types);
  const tsconfig = join(dist, 'tsconfig.json');
  const lib = ['ES2023', 'DOM', 'DOM.Iterable'];
  const compilerOptions = { target: 'es2023', module: 'nodenext', lib, types: [], strict: true, skipLibCheck: true };
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files }));
  // TypeDoc's own types do not have the plugin's options.
  const markdownOptions = {
    router: 'module',
    entryFileName: 'index',
    useCodeBlocks: true,
    useHTMLAnchors: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
  };
  const application = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: files,
    tsconfig,
    outputs: [{ name: 'markdown', path: join(pages, 'reference/types') }],
    readme: 'none',
    disableGit: true,
    disableSources: true,
    skipErrorChecking: true,
    excludeExternals: true,
    logLevel: 'Error',
    name: 'Types of the packages',
    ...markdownOptions,
  });
  const points = application.getEntryPoints() ?? [];
  if (points.length !== entries.length)
    throw new Error(`typedoc reads ${points.length} of ${entries.length} entry points.`);
  const names = new Map(entries.map(({ name, types }) => [types, name]));
  for (const point of points) point.displayName = names.get(point.sourceFile.fileName) ?? point.displayName;
  await application.generateOutputs(application.converter.convert(points));
}

rmSync(dist, { recursive: true, force: true });
writeRepositoryPages();
await writeRoutePages();
await writeTypePages();
await build(here);
if (!process.argv.includes('--check')) await serve({ root: here, port: Number(process.env['DOCS_PORT'] || 3006) });
