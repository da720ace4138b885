// What a page has to load for the React client, minified and compressed: without its peers, and each entry by itself. Needs the
// build.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { repositoryRoot } from './project-files.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

const KILOBYTE = 1_000;
const ENTRIES = [
  { name: 'oracle-client', limitKilobytes: 45 },
  { name: 'browser-identity', limitKilobytes: 45 },
  { name: 'live-agent', limitKilobytes: 45 },
  { name: 'ui', limitKilobytes: 60 },
  // As most pages use it: what reads Markdown comes later.
  { name: 'ui', only: 'Oracle', limitKilobytes: 35 },
];
/** What a page brings itself. */
const PEERS = /^(react|react-dom|livekit-client)(\/|$)/;

/** A page that uses something of an entry. */
const PAGE = join(repositoryRoot, 'page.js');

/**
 * @param {string} name - of an entry of the client
 * @param {string} only - of what it has, what the page uses; default: all of it
 * @returns {Promise<number>} gzipped bytes of what it needs at once; what is loaded when it is needed does not count
 */
async function bytesOf(name, only = '*') {
  const entry = join(repositoryRoot, 'packages/oracle-client/dist', `${name}.js`);
  const used = only === '*' ? only : `{ ${only} }`;
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    root: repositoryRoot,
    plugins: [
      {
        name: 'page',
        enforce: 'pre',
        resolveId: (id) => (id === PAGE ? id : undefined),
        load: (id) => (id === PAGE ? `export ${used} from ${JSON.stringify(entry)};` : undefined),
      },
    ],
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry: PAGE, formats: ['es'], fileName: name },
      rollupOptions: { external: PEERS },
    },
  });
  const built = [output].flat().flatMap((each) => ('output' in each ? each.output : []));
  const chunks = new Map(built.flatMap((each) => (each.type === 'chunk' ? [[each.fileName, each]] : [])));
  const needed = new Set([...chunks.values()].filter(({ isEntry }) => isEntry));
  // A set that grows while it is walked: imports of imports are reached too.
  for (const { imports } of needed) {
    for (const chunk of imports.map((file) => chunks.get(file))) if (chunk !== undefined) needed.add(chunk);
  }
  return [...needed].reduce((bytes, { code }) => bytes + gzipSync(code, { level: 9 }).length, 0);
}

if (runsDirectly(import.meta.url)) {
  const problems = [];
  for (const { name, only, limitKilobytes } of ENTRIES) {
    const kilobytes = (await bytesOf(name, only)) / KILOBYTE;
    const what = only === undefined ? name : `${only} of ${name}`;
    console.log(`${what}: ${kilobytes.toFixed(1)} kB gzipped`);
    if (kilobytes > limitKilobytes)
      problems.push(`${what} has ${kilobytes.toFixed(1)} kB, more than ${limitKilobytes}`);
  }
  reportAndExit('client size', problems);
}
