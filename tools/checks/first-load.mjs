// What a browser that was never here has to load of the playground before a view can be shown, compressed as it is served: the page, the files of
// every view, and those of the one. Needs the build.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './project-files.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

const KILOBYTE = 1_000;
const folder = join(repositoryRoot, 'packages/playground/dist/page');
/** On slow 3G a kilobyte takes 20 ms. */
const limitKilobytes = { home: 20, phone: 42, link: 78, chat: 72, chain: 23, account: 60, lost: 18 };

/**
 * @param {string} html the page as it was built
 * @returns {{ everyView: string[], rooms: Map<string, string[]> }} paths of what the page names, and of what its script names for each room
 */
export function namedFiles(html) {
  const everyView = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file = '']) => file);
  const rooms = new Map(
    Object.keys(limitKilobytes).map((room) => {
      const list = new RegExp(`\\b${room}:\\[([^\\]]*)\\]`).exec(html)?.[1];
      if (list === undefined) throw new Error(`The page names no files of the room ${room}.`);
      return [room, [...list.matchAll(/\/(assets\/[^`'"]+)/g)].map(([, file = '']) => file)];
    }),
  );
  return { everyView, rooms };
}

/**
 * @param {readonly string[]} named
 * @param {(file: string) => string} textOf
 * @returns {string[]} scripts that the named ones cannot run without, and that are not named: each costs a wait of its own
 */
export function unnamedImports(named, textOf) {
  const imported = named
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => [...textOf(file).matchAll(/(?:from|import)["'`]\.\/([\w.-]+\.js)["'`]/g)])
    .map(([, name]) => `assets/${name}`);
  return [...new Set(imported)].filter((file) => !named.includes(file)).toSorted();
}

/** @param {string} file */
const bytesOf = (file) => statSync(join(folder, `${file}.br`)).size;

if (runsDirectly(import.meta.url)) {
  const problems = [];
  const { everyView, rooms } = namedFiles(readFileSync(join(folder, 'index.html'), 'utf8'));
  for (const [room, files] of rooms) {
    const named = ['index.html', ...everyView, ...files];
    const kilobytes = named.reduce((sum, file) => sum + bytesOf(file), 0) / KILOBYTE;
    const limit = limitKilobytes[/** @type {keyof typeof limitKilobytes} */ (room)];
    console.log(`${room}: ${kilobytes.toFixed(1)} kB in ${named.length} files`);
    if (kilobytes > limit) problems.push(`${room} has ${kilobytes.toFixed(1)} kB, more than ${limit}`);
    for (const file of unnamedImports(named, (each) => readFileSync(join(folder, each), 'utf8')))
      problems.push(
        `${room} needs ${file}, which the page does not name: it is asked for only when another file has come`,
      );
  }
  reportAndExit('first load', problems);
}
