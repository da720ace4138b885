import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from './project-files.mjs';

const text = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');
const minutes = Number(/^minimumReleaseAge: (\d+)$/m.exec(text('pnpm-workspace.yaml'))?.[1]);

describe('a bot that proposes updates', () => {
  it('waits as long as the workspace does, or its proposals could not be installed', () => {
    const days = minutes / (24 * 60);
    expect(JSON.parse(text('renovate.json')).minimumReleaseAge).toBe(`${days} days`);
    const dependabot = text('.github/dependabot.yml');
    const waits = [...dependabot.matchAll(/default-days: (\d+)/g)].map(([, wait]) => Number(wait));
    expect(waits).toEqual(dependabot.match(/package-ecosystem/g)?.map(() => days));
  });

  it('groups packages that are there', () => {
    const catalog = [...text('pnpm-workspace.yaml').matchAll(/^ {2}'?([@\w./-]+)'?: [\d.]+\S*$/gm)].map(
      ([, name]) => name ?? '',
    );
    const rules: { matchPackageNames?: string[] }[] = JSON.parse(text('renovate.json')).packageRules;
    const named = rules.flatMap(({ matchPackageNames = [] }) => matchPackageNames);
    const strangers = named.filter((name) => !catalog.some((one) => one.startsWith(name.replace(/\*+$/, ''))));
    expect(strangers).toEqual([]);
  });
});
