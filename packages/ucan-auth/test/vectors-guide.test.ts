import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../', import.meta.url));
const vectors = join(root, 'vectors');
const guide = readFileSync(new URL('../../../docs/guides/ucan-vectors.md', import.meta.url), 'utf8');
const examples = new Map(
  [...guide.matchAll(/<!-- example: (\S+) -->\n```js\n([\s\S]*?)```/g)].map(([, name = '', text = '']) => [name, text]),
);

/** The guide's programs next to an installed package. */
const place = mkdtempSync(join(tmpdir(), 'vectors-guide-'));
afterAll(() => rmSync(place, { recursive: true }));
mkdirSync(join(place, 'node_modules/@mlango'), { recursive: true });
symlinkSync(root, join(place, 'node_modules/@mlango/ucan-auth'), 'junction');
for (const [name, text] of examples) writeFileSync(join(place, name), text);

const files = readdirSync(vectors).filter((name) => name !== 'vectors.schema.json');
const contents = files.map((name) => JSON.parse(readFileSync(join(vectors, name), 'utf8')));
const all: readonly { ask: string; expected: { reason?: string } }[] = contents.flatMap((file) => file.vectors);

it('the programs of the guide confirm every vector', async () => {
  const { stdout } = await run(process.execPath, ['run-vectors.mjs', 'node_modules/@mlango/ucan-auth/vectors'], {
    cwd: place,
  });
  expect(stdout.trim()).toBe(`${all.length} of ${all.length} as they say`);
});

it('the programs of the guide report a wrong reader', async () => {
  const reader = examples.get('answer.mjs') ?? '';
  writeFileSync(join(place, 'answer.mjs'), reader.replace('{ ok, reason: code }', "{ ok, reason: 'malformed' }"));
  const failure = await run(process.execPath, ['run-vectors.mjs', vectors], { cwd: place }).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: 1, stdout: expect.stringContaining('overreaching.json: another audience') });
});

it('the guide lists all files, uses and reasons', () => {
  const rows = [...guide.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
  const schema = JSON.parse(readFileSync(join(vectors, 'vectors.schema.json'), 'utf8'));
  const { ask, expected } = schema.definitions.vector.properties;
  const reasons: readonly string[] = expected.oneOf[1].properties.reason.enum;
  expect(new Set(rows)).toEqual(new Set([...files, ...ask.enum, ...reasons]));
  expect(new Set(all.map((vector) => vector.ask))).toEqual(new Set(ask.enum));
  expect(new Set(all.flatMap((vector) => vector.expected.reason ?? []))).toEqual(new Set(reasons));
});
