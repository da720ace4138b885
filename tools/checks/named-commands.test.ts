import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles, repositoryRoot } from './project-files.mjs';

const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');
const files = projectFiles();
const manifests = files
  .filter((file) => /(^|\/)package\.json$/.test(file))
  .map((file) => JSON.parse(read(file)) as { name?: string; scripts?: Record<string, string> });
const scriptsOf = (name: string) => Object.keys(manifests.find((one) => one.name === name)?.scripts ?? {});
const ofPnpmItself = ['audit', 'install', 'licenses', 'sbom', 'turbo', 'vitest'];
const checks = [...read('tools/checks/check.mjs').matchAll(/^ {2}'?([a-z-]+)'?: '/gm)].map(([, name]) => name);
const ofUcan = [...read('packages/ucan-auth/src/cli/commands.ts').matchAll(/^ {2}ucan (\w+)/gm)].map(
  ([, word]) => word,
);

/** The code in a page: its blocks, and the texts between backticks. */
function codeOf(page: string): string[] {
  const blocks = page.split(/^ *```.*$/m);
  const shown = blocks.filter((_, index) => index % 2 === 1);
  const said = blocks.filter((_, index) => index % 2 === 0).flatMap((text) => text.match(/`[^`]+`/g) ?? []);
  return [...shown, ...said];
}

/** The commands of a text that there are not. */
function missingIn(code: string): string[] {
  const missing = (pattern: RegExp, isThere: (...names: string[]) => boolean) =>
    [...code.matchAll(pattern)].filter(([, ...names]) => !isThere(...names)).map(([command]) => command);
  return [
    ...missing(/\bnpm run (?:-s )?([a-z][\w:-]*)/g, (script = '') => scriptsOf('mlango').includes(script)),
    ...missing(/\bnpm run check -- ([a-z][\w-]*)/g, (name) => checks.includes(name)),
    ...missing(/\bpnpm ([a-z][\w:-]*)/g, (word = '') => [...ofPnpmItself, ...scriptsOf('mlango')].includes(word)),
    ...missing(/\bpnpm --filter (@mlango\/(?!my-)[\w-]+) (?:run )?([a-z][\w:-]*)/g, (name = '', script = '') =>
      scriptsOf(name).includes(script),
    ),
    ...missing(/\bpnpm ucan (\w+)|\brun -s ucan -- (\w+)/g, (word, other) => ofUcan.includes(word ?? other)),
  ];
}

describe('a command that a page names', () => {
  const pages = files.filter((file) => file.endsWith('.md') && !/^CHANGELOG|^\.changeset\//.test(file));

  it.each(pages)('exists: %s', (page) => {
    expect(codeOf(read(page)).flatMap(missingIn)).toEqual([]);
  });

  it('is reported if it does not exist', () => {
    const page =
      'Say `pnpm ucan mint`.\n```\nnpm run -s ucan -- key\nnpm run fly\nnpm run check -- sky\n```\nOr `pnpm migration`, or npm run away.';
    expect(codeOf(page).flatMap(missingIn)).toEqual([
      'npm run fly',
      'npm run check -- sky',
      'pnpm ucan mint',
      'pnpm migration',
    ]);
  });
});
