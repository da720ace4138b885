// What an image is made of starts and answers: the production tree of each program, made as the Dockerfile makes it, booted
// outside of the repository on embedded stores, with one request through each door. Needs the build, and no Docker.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTree } from './production-trees/make-tree.mjs';
import { PROGRAMS } from './production-trees/programs.mjs';
import { tryPrograms } from './production-trees/try-programs.mjs';
import { reportAndExit } from './report.mjs';

const place = mkdtempSync(join(tmpdir(), 'production-trees-'));
try {
  const trees = new Map(PROGRAMS.map(({ name }) => [name, makeTree(name, place)]));
  const tree = (/** @type {string} */ name) => trees.get(name) ?? '';
  reportAndExit('production trees', await tryPrograms(PROGRAMS, { tree, dataIn: join(place, 'data') }));
} finally {
  rmSync(place, { recursive: true, force: true });
}
