import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findLongFiles } from './file-length.mjs';
import { checkHouse } from './house.mjs';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mlango-house-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

describe('the house rules', () => {
  it.each([
    ['.npmrc', 'registry=https://packages.example.com/npm'],
    ['.npmrc', '@scope:registry = https://packages.example.com'],
    ['deploy/start.sh', 'npm ci --registry https://packages.example.com'],
    ['docs/a.md', 'see https://artifactory.example.com/x'],
    ['pnpm-lock.yaml', '    resolution: {tarball: https://packages.example.com/a.tgz}'],
    ['tools/x/package-lock.json', '      "resolved": "https://packages.example.com/a.tgz",'],
    ['README.md', 'cd /home/somebody/mlango'],
    ['docs/a.md', 'open C:\\Users\\somebody'],
    ['src/a.ts', "const file = '/tmp/mine';"],
    ['deploy/key.pem', '-----BEGIN PRIVATE KEY-----'],
    ['packages/x/src/utils.ts', ''],
    ['packages/x/src/helpers/a.ts', ''],
    ['packages/x/src/index.ts', ''],
    ['packages/x/src/myFile.ts', ''],
    ['services/ussd-gateway/src/engine/step.ts', 'const now = Date.now();'],
    ['services/ussd-gateway/src/engine/step.test.ts', "it.only('x', () => {});"],
  ])('%s with %j is found', (file, text) => {
    write(file, text);
    expect(checkHouse(root)).toHaveLength(1);
    expect(checkHouse(root)[0]).toContain(file);
  });

  it.each([
    ['README.md', 'curl http://127.0.0.1:3000/api/ussd and see https://registry.npmjs.org/fastify'],
    ['packages/x/src/a.ts', "import { tmpdir } from 'node:os'; // .data/home/x, ./work/it, GET /api/home/it"],
    ['services/ussd-gateway/src/engine/step.ts', 'const later = new Date(nowMs + 1);'],
    [
      'services/ussd-gateway/src/engine/step.test.ts',
      "describe.skipIf(url === undefined)('x', () => { Date.now(); });",
    ],
    ['node_modules/x/utils.ts', ''],
    ['packages/x/gen/index.ts', ''],
  ])('%s with %j is let through', (file, text) => {
    write(file, text);
    expect(checkHouse(root)).toEqual([]);
  });
});

describe('the file length wall', () => {
  it('stands at 300 lines', () => {
    write('src/at-the-wall.ts', 'line\n'.repeat(300));
    write('src/over-the-wall.ts', 'line\n'.repeat(301));
    write('dist/generated.js', 'line\n'.repeat(301));
    write('notes.md', 'line\n'.repeat(301));
    expect(findLongFiles(root)).toEqual(['src/over-the-wall.ts: 301 lines, at most 300']);
  });
});
