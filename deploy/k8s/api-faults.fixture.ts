import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Manifest } from './render.fixture.js';

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const modules = join(import.meta.dirname, 'node_modules');

/**
 * The faults of manifests against the published schemas of the Kubernetes API: missing and malformed fields by their validators,
 * and unknown fields, which a cluster drops or refuses, by their types.
 */
export async function apiFaults(manifests: readonly Manifest[]): Promise<string[]> {
  return [...(await invalid(manifests)), ...mistyped(manifests)];
}

async function invalid(manifests: readonly Manifest[]): Promise<string[]> {
  const faults: string[] = [];
  for (const manifest of manifests) {
    const { [manifest.kind]: Model } = await import(moduleOf(manifest));
    try {
      new Model(manifest).validate();
    } catch (error) {
      faults.push(`${manifest.kind} ${manifest.metadata.name}: ${(error as Error).message}`);
    }
  }
  return faults;
}

function mistyped(manifests: readonly Manifest[]): string[] {
  const folder = mkdtempSync(join(modules, '.manifests-'));
  try {
    const lines = manifests.map(
      (manifest, index) =>
        `import type { I${manifest.kind} as T${index} } from '${moduleOf(manifest)}';\n` +
        `export const m${index}: T${index} = ${JSON.stringify(manifest)};\n`,
    );
    writeFileSync(join(folder, 'manifests.ts'), lines.join(''));
    const options = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, skipLibCheck: true, types: [] };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['manifests.ts'], exclude: [] }),
    );
    execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'pipe' });
    return [];
  } catch (error) {
    return String((error as { stdout?: Buffer }).stdout ?? error)
      .trim()
      .split('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function moduleOf({ apiVersion, kind }: Manifest): string {
  return `kubernetes-models/${apiVersion}/${kind}`;
}
