import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** As much of an object of the API as the tests read. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: what is in it differs by kind, and is checked against the API's own schemas.
  readonly spec?: any;
}

export const overlays = ['small', 'production'] as const;

/** Whether there is a kubectl with a kustomize that takes folders as resources: those of 1.22 and later. */
export const canRender = kustomizeMajor() >= 4;

/** The output of kubectl for an overlay. */
export function render(overlay: (typeof overlays)[number]): Manifest[] {
  return manifestsOf(execFileSync('kubectl', ['kustomize', join(import.meta.dirname, overlay)], { encoding: 'utf8' }));
}

/** The manifests of a folder, unrendered. */
export function written(folder: string): Manifest[] {
  return readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml') && !name.endsWith('kustomization.yaml'))
    .flatMap((name) => manifestsOf(readFileSync(join(import.meta.dirname, folder, name), 'utf8')));
}

export function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}

function manifestsOf(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS() as Manifest;
  });
}

function kustomizeMajor(): number {
  try {
    const told = execFileSync('kubectl', ['version', '--client', '--output=json'], { encoding: 'utf8', stdio: 'pipe' });
    const { kustomizeVersion = 'v0' } = JSON.parse(told) as { kustomizeVersion?: string };
    return Number(/^v(\d+)/.exec(kustomizeVersion)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
