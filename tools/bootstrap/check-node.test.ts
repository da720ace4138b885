import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeProblem as serviceNodeProblem } from '../../packages/service-kit/src/process/check-node.js';
import { nodeProblem } from './check-node.cjs';
import { repositoryRoot } from './repository.mjs';

describe('nodeProblem', () => {
  it.each(['20.19.0', 'v20.19.0', '20.19.1', '20.20.0', '21.0.0', '24.1.0', '26.0.0-nightly'])(
    '%s is new enough',
    (version) => {
      expect(nodeProblem(version)).toBeUndefined();
    },
  );

  it.each(['20.18.3', '18.20.8', '6.17.1', '0.12.18'])(
    '%s is refused, naming the required and the found version',
    (version) => {
      expect(nodeProblem(version)).toMatch(/needs Node 20\.19\.0 or newer/);
      expect(nodeProblem(version)).toContain(`This is Node ${version}.`);
    },
  );
});

describe('the check of a service', () => {
  it.each(['20.19.0', '20.20.1', '21.0.0', '24.1.0', '20.18.3', '18.20.8', '16.0.0', '9.11.2'])(
    'reports the same for %s',
    (version) => {
      expect(serviceNodeProblem(version) === undefined).toBe(nodeProblem(version) === undefined);
      expect(serviceNodeProblem(version) ?? `needs Node 20.19.0 or newer … This is Node ${version}`).toMatch(
        new RegExp(`needs Node 20\\.19\\.0 or newer .* This is Node ${version.replaceAll('.', '\\.')}`),
      );
    },
  );

  it('is imported alone, before all other imports of a main.js', () => {
    expect(importsOf('packages/service-kit/src/process/check-node.ts')).toEqual([]);
    for (const folder of [
      'services/ussd-gateway',
      'services/oracle-api',
      'services/proto-gateway',
      'packages/playground',
    ]) {
      expect(importsOf(`${folder}/src/main.ts`)).toEqual(["import '@mlango/service-kit/check-node';"]);
    }
  });
});

/** The lines by which a module is linked to others before any of it runs. */
function importsOf(file: string): string[] {
  const lines = readFileSync(join(repositoryRoot, file), 'utf8').split('\n');
  return lines.filter((line) => /^(import|export)\b(?!.*\bfunction\b)(?!\s*type\b)/.test(line));
}
