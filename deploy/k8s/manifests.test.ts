import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiFaults } from './api-faults.fixture.js';
import { type Manifest, ofKind, overlays, written } from './render.fixture.js';

interface Volume {
  readonly secret?: { readonly secretName: string };
}

const podsOf = (manifests: readonly Manifest[]) =>
  manifests.flatMap((manifest) =>
    manifest.spec?.template === undefined ? [] : [{ manifest, ...manifest.spec.template }],
  );

describe('the written manifests', () => {
  it('have no field unknown to the API', async () => {
    const manifests = ['base', 'monitoring', ...overlays].map((folder) => written(folder));
    for (const each of manifests) expect(each.length).toBeGreaterThan(1);
    expect(await apiFaults(manifests.flat())).toEqual([]);
  });

  it('are checked so that a wrong name or a wrong form is found', async () => {
    const [deployment] = ofKind(written('base'), 'Deployment');
    if (deployment === undefined) throw new Error('there is none');
    const odd = structuredClone(deployment);
    const { containers } = odd.spec.template.spec;
    containers[0].readynessProbe = containers[0].readinessProbe;
    const wrong = structuredClone(deployment);
    wrong.spec.template.spec.terminationGracePeriodSeconds = 'soon';
    const faults = (await apiFaults([odd, wrong])).join('\n');
    expect(faults).toContain('readynessProbe');
    expect(faults).toContain('terminationGracePeriodSeconds');
  });

  it('run nothing as root, with capabilities, or with a writable root file system', () => {
    for (const folder of ['base', ...overlays]) {
      for (const { spec } of podsOf(written(folder))) {
        expect(spec).toMatchObject({
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        });
        for (const { securityContext, resources } of spec.containers) {
          const closed = {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          };
          expect(securityContext).toEqual(closed);
          expect(resources.limits.memory).toBeDefined();
          expect(resources.requests).toHaveProperty('cpu');
        }
      }
    }
  });

  it('give a pod more time to end than its process takes', () => {
    for (const { spec } of ofKind(written('base'), 'Deployment').map(({ spec: { template } }) => template)) {
      const [{ env }] = spec.containers as [{ env: { name: string; value: string }[] }];
      const ms = Number(env.find(({ name }) => name === 'SHUTDOWN_TIMEOUT_MS')?.value);
      expect(spec.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(ms);
    }
  });
});

describe('README.md', () => {
  it('creates each secret with the files that its pods read, and no others', () => {
    const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8').replaceAll('\\\n', '');
    const made = [...readme.matchAll(/create secret generic ([\w-]+)(.*)/g)].map(([, name, rest = '']) => ({
      name,
      files: [...rest.matchAll(/--from-file=(?:([\w-]+)=|secrets\/([\w-]+))/g)].map(([, as, file]) => as ?? file),
    }));
    const pods = ['base', 'small'].flatMap((folder) => podsOf(written(folder)));
    const mounted = pods.flatMap(({ spec }) =>
      (spec.volumes ?? []).flatMap(({ secret }: Volume) => secret?.secretName ?? []),
    );
    expect(new Set(made.map(({ name }) => name))).toEqual(new Set(mounted));
    const doors = ofKind(written('base'), 'Deployment');
    for (const { metadata, spec } of doors) {
      const [{ env }] = spec.template.spec.containers as [{ env: { value: string }[] }];
      const read = env.flatMap(({ value }) => /^\/run\/secrets\/mlango\/(.+)$/.exec(value)?.[1] ?? []);
      expect(new Set(made.find(({ name }) => name === metadata.name)?.files)).toEqual(new Set(read));
    }
  });
});
