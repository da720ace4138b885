import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedFlows } from '../../src/flows/read-flow.js';
import { freshFolder } from './fresh-folder.js';

/**
 * A folder of services: the given `services.yaml`, and the shipped flow once under each name, with its name in its
 * welcome text.
 */
export function servicesFolder(servicesYaml: string, flows: readonly string[] = ['default']): string {
  const folder = freshFolder();
  for (const flow of flows) {
    cpSync(join(shippedFlows, 'default'), join(folder, flow), { recursive: true });
    const english = join(folder, flow, 'texts/en.yaml');
    const text = readFileSync(english, 'utf8');
    writeFileSync(english, text.replace('Information Center', `Information of ${flow}`));
  }
  writeFileSync(join(folder, 'services.yaml'), servicesYaml);
  return folder;
}
