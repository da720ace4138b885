import { readFileSync } from 'node:fs';
import { listensAtUrl } from '@mlango/test-services/program';
import { expect, it } from 'vitest';
import { readTenants } from '../src/tenants/read-tenants.js';
import { readConsole } from './support/follow-console.js';
import { missingTools, playGuide } from './support/play-guide.js';
import { servicesFolder } from './support/services-folder.js';

const guide = 'run-several-services.md';
const missing = missingTools('bash', 'curl', 'openssl');
if (missing.length > 0) process.stderr.write(`skipped: the guide "run several services" needs ${missing.join(', ')}\n`);

it.skipIf(missing.length > 0)(
  'in the guide "run several services" each command prints its documented output',
  () => playGuide(guide, ['services'], [{ port: 3000, listens: listensAtUrl }]),
  120_000,
);

/** Mistakes in its `services.yaml`, by their name in the guide. */
const mistakes: Readonly<Record<string, (text: string) => string>> = {
  'a code twice': (text) => text.replace("'*384*2#'", "'*384*1#'"),
  'ranges that meet': (text) => text.replace("'*384*12#'", "'*384*15-25#'"),
  'a service without a code': (text) => text.replace("    codes: ['*384*2#', '*384*12#']\n", ''),
  'a folder that is not there': (text) => text.replace('name: Duka', 'flow: store'),
  'a language without texts': (text) => text.replace('[en, sw]', '[en, pt]'),
  'a misspelt word': (text) => text.replace('languages:', 'langauges:'),
  'a token in clear': (text) => text.replace(/operatorTokenSha256: .*/, 'operatorTokenSha256: let-me-in'),
};
const text = readFileSync(new URL(`../../../docs/guides/${guide}`, import.meta.url), 'utf8');
const rows = [...text.matchAll(/^\| ([^|]+) \| `(.+)` \|$/gm)].map(([, what = '', reason = '']) => ({
  what,
  reason: reason.replaceAll('\\|', '|'),
}));

it('the guide "run several services" has every mistake of this test', () => {
  expect(rows.map(({ what }) => what)).toEqual(Object.keys(mistakes));
});

it.each(rows)('$what is refused with the text of the guide, by file and line', ({ what, reason }) => {
  const written = readConsole(guide).find(({ command }) => command.includes('services.yaml <<EOF'))?.command ?? '';
  const right = written
    .slice(written.indexOf('\n') + 1, -'EOF'.length)
    .replace(/Sha256: .*/, `Sha256: ${'a'.repeat(64)}`);
  const mistaken = mistakes[what]?.(right) ?? right;
  expect(mistaken).not.toBe(right);
  const read = (yaml: string) => readTenants(servicesFolder(yaml, ['clinic', 'shop']), { appName: 'Mlango' });
  expect(read(right).problems).toBeUndefined();
  const problems = (read(mistaken).problems ?? []).map((line) => /\/services\.yaml:\d+ (.*)$/.exec(line)?.[1]);
  expect(problems).toContain(reason);
});
