import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { flowFile } from './flow-file.js';
import { editorProblems, publishedSchema } from './published-schema.fixture.js';
import { shippedFlows } from './read-flow.js';

const example = (name: string) =>
  fileURLToPath(new URL(`../../../../examples/${name}/flows/default/flow.yaml`, import.meta.url));
const shipped = join(shippedFlows, 'default/flow.yaml');

it('the published schema of flow.yaml is the one used to read flows', async () => {
  // `pnpm vitest run flow-schema --update` writes it again.
  await expect(publishedSchema(flowFile)).toMatchFileSnapshot('../../flows/flow.schema.json');
});

describe('a YAML language server', () => {
  const examples = ['mobile-money', 'pay-a-bill', 'ask-by-phone'].map(example);
  it.each([shipped, ...examples])('has no problem with %s', async (path) =>
    expect(await editorProblems(path)).toEqual([]),
  );

  it('checks a list and its options', async () => {
    const path = example('pay-a-bill');
    const text = readFileSync(path, 'utf8');
    const lineOf = (words: string) => text.slice(0, text.indexOf(words)).split('\n').length;
    for (const [before, after] of [
      ['{ from: bills, label', '{ form: bills, label'],
      ['most: 9', 'most: nine'],
      ['{ as: id, longest', '{ as: number, longest'],
    ] as const) {
      const problems = await editorProblems(path, text.replace(before, after));
      expect(problems.map((problem) => Number.parseInt(problem, 10))).toContain(lineOf(before));
    }
  });

  it('finds the schema of a copied folder of flows', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ussd-schema-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(shippedFlows, folder, { recursive: true });
    const copy = join(folder, 'default/flow.yaml');
    const text = readFileSync(copy, 'utf8');
    expect(await editorProblems(copy, text)).toEqual([]);
    expect(await editorProblems(copy, text.replace('options:', 'optons:'))).toEqual([
      expect.stringMatching(/^\d+ Property optons is not allowed/),
    ]);
    expect(await editorProblems(copy, text.replace('version: 2', 'version: two'))).toEqual([
      '3 Incorrect type. Expected "integer".',
    ]);
    expect(
      await editorProblems(copy, text.replace('key: 1, label: knowMore', 'key: 1.5, label: knowMore')),
    ).toHaveLength(1);
  });
});
