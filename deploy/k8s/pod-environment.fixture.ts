import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest, ofKind } from './render.fixture.js';

const MOUNT = '/run/secrets/mlango';

/**
 * The environment of a pod's process: its settings map and its own variables. Secrets are files of `folder` in place of the
 * mount, with the values given by name in `folder`.
 */
export function podEnvironment(
  manifests: readonly Manifest[],
  { kind, name }: { readonly kind: 'Deployment' | 'Job'; readonly name: string },
  { folder, secrets }: { readonly folder: string; readonly secrets: Readonly<Record<string, string>> },
): Record<string, string> {
  const owner = ofKind(manifests, kind).find(({ metadata }) => metadata.name === name);
  if (owner === undefined) throw new Error(`there is no ${kind} ${name}`);
  mkdirSync(folder, { recursive: true });
  for (const [file, value] of Object.entries(secrets)) writeFileSync(join(folder, file), `${value}\n`, { mode: 0o440 });
  const [{ env, envFrom }] = owner.spec.template.spec.containers;
  const maps = envFrom.map((from: { configMapRef: { name: string } }) => from.configMapRef.name);
  const settings = ofKind(manifests, 'ConfigMap').filter(({ metadata }) => maps.includes(metadata.name));
  const own = env.map(({ name, value }: { name: string; value: string }) => [name, value.replace(MOUNT, folder)]);
  return Object.assign({ NODE_ENV: 'production' }, ...settings.map(({ data }) => data), Object.fromEntries(own));
}
