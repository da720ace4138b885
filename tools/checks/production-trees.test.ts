import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTree } from './production-trees/make-tree.mjs';
import { PROGRAMS } from './production-trees/programs.mjs';
import { tryPrograms } from './production-trees/try-programs.mjs';

let place: string;
let tree: string;

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'production-trees-'));
  tree = makeTree('oracle-api', place);
}, 120_000);

afterAll(() => rmSync(place, { recursive: true, force: true }));

describe('the check of production trees', () => {
  it('fails when a package is not there that its code imports', async () => {
    rmSync(join(tree, 'packages/ucan-auth/node_modules/drizzle-orm'));
    const programs = PROGRAMS.filter(({ name }) => name === 'oracle-api');
    const problems = await tryPrograms(programs, { tree: () => tree, dataIn: join(place, 'data') });
    expect(problems).toEqual([expect.stringMatching(/^oracle-api has ended with exit code 1:.*'drizzle-orm'/s)]);
  }, 120_000);
});
