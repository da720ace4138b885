import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { projectFiles, repositoryRoot } from './project-files.mjs';

const check = fileURLToPath(new URL('metric-reference.mjs', import.meta.url));

/** Where a metric is made: its name is the first that is said of it. */
const registration = /\b(?:counter|gauge|histogram)(?:<[^>]*>)?\(\{\s*name: '([a-z_]+)'/g;

describe('the page of metrics', () => {
  it('is what the built services register', { timeout: 60_000 }, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [check]).catch((error: { stderr: string }) => ({
      stdout: error.stderr,
    }));
    expect(stdout).toBe('metric reference: all well\n');
  });

  it('leaves out nothing that is measured only with a setting', () => {
    const page = readFileSync(join(repositoryRoot, 'docs/operations/metrics.md'), 'utf8');
    const measured = projectFiles(repositoryRoot)
      .filter((file) => /^(services\/[^/]+|packages\/service-kit)\/src\/.*(?<!\.test|\.fixture)\.ts$/.test(file))
      .flatMap((file) => [...readFileSync(join(repositoryRoot, file), 'utf8').matchAll(registration)])
      .map(([, name]) => name);
    expect(measured.length).toBeGreaterThan(40);
    expect(measured.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  });
});
