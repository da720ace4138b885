// Gzipped kilobytes that a browser loads: each entry point of the React client without its peers, and each view of the playground on
// a first visit. Needs the build.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { repositoryRoot } from './project-files.mjs';
import { reportAndExit } from './report.mjs';

/** Limits in kilobytes, by entry point; `only` names the one export that is imported. */
const CLIENT = [
  { entry: 'oracle-client', limit: 45 },
  { entry: 'browser-identity', limit: 45 },
  { entry: 'live-agent', limit: 45 },
  { entry: 'ui', limit: 45 },
  { entry: 'ui', only: 'Oracle', limit: 35 },
];
const PEERS = /^(react|react-dom|livekit-client)(\/|$)/;
/** Limits in kilobytes, by view. On slow 3G a kilobyte takes 20 ms. */
const PLAYGROUND = { home: 20, phone: 43, link: 78, chat: 72, chain: 23, account: 60, notFound: 18 };
const PAGE = join(repositoryRoot, 'packages/playground/dist/page');

/** @type {string[]} */
const problems = [];
/** @param {string} name @param {number} bytes @param {number} limit */
function report(name, bytes, limit) {
  const kilobytes = (bytes / 1_000).toFixed(1);
  console.log(`${name}: ${kilobytes} kB, limit ${limit}`);
  if (bytes > limit * 1_000) problems.push(`${name} has ${kilobytes} kB, more than ${limit}`);
}

/**
 * @param {string} entry - file name in the client's `dist`
 * @param {string} [only]
 * @returns {Promise<number>} bytes of the entry chunk and its static imports; lazy chunks do not count
 */
async function clientBytes(entry, only) {
  const page = join(repositoryRoot, 'page.js');
  const file = JSON.stringify(join(repositoryRoot, 'packages/oracle-client/dist', `${entry}.js`));
  const code = `export ${only === undefined ? '*' : `{ ${only} }`} from ${file};`;
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    root: repositoryRoot,
    plugins: [
      {
        name: 'page',
        enforce: 'pre',
        resolveId: (id) => (id === page ? id : undefined),
        load: (id) => (id === page ? code : undefined),
      },
    ],
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry: page, formats: ['es'], fileName: entry },
      rollupOptions: { external: PEERS },
    },
  });
  const built = [output].flat().flatMap((each) => ('output' in each ? each.output : []));
  const chunks = new Map(built.flatMap((each) => (each.type === 'chunk' ? [[each.fileName, each]] : [])));
  const needed = new Set([...chunks.values()].filter(({ isEntry }) => isEntry));
  // The set grows during the loop, so imports of imports are added too.
  for (const { imports } of needed) {
    for (const name of imports) {
      const chunk = chunks.get(name);
      if (chunk !== undefined) needed.add(chunk);
    }
  }
  return [...needed].reduce((bytes, each) => bytes + gzipSync(each.code, { level: 9 }).length, 0);
}

/** Files that the page preloads for a view: those of every view, and its own list. @param {string} view */
function viewFiles(view) {
  const html = readFileSync(join(PAGE, 'index.html'), 'utf8');
  const list = new RegExp(`\\b${view}:\\[([^\\]]*)\\]`).exec(html)?.[1];
  if (list === undefined) throw new Error(`The page names no files of the view ${view}.`);
  const shared = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)];
  const own = [...list.matchAll(/\/(assets\/[^`'"]+)/g)];
  return ['index.html', ...[...shared, ...own].map(([, file = '']) => file)];
}

for (const { entry, only, limit } of CLIENT) {
  report(only === undefined ? entry : `${only} of ${entry}`, await clientBytes(entry, only), limit);
}
for (const [view, limit] of Object.entries(PLAYGROUND)) {
  const files = viewFiles(view);
  report(
    `view ${view}`,
    files.reduce((bytes, file) => bytes + statSync(join(PAGE, `${file}.br`)).size, 0),
    limit,
  );
  // A static import that is not preloaded costs one more round trip.
  const imports = files
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => [
      ...readFileSync(join(PAGE, file), 'utf8').matchAll(/(?:from|import)["'`]\.\/([\w.-]+\.js)["'`]/g),
    ])
    .map(([, name]) => `assets/${name}`);
  for (const file of new Set(imports))
    if (!files.includes(file)) problems.push(`view ${view} does not preload ${file}`);
}
reportAndExit('bundle size', problems);
