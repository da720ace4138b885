import type { Attack } from './attack.js';
import { overreaching } from './attacks-claims.js';
import { exhausting } from './attacks-exhausting.js';
import { repacked, respelled } from './attacks-form.js';
import { oddKeys } from './attacks-keys.js';

/** Every attack, by kind. Deterministic: the same tokens each time. */
export async function attacksByKind(): Promise<Readonly<Record<string, readonly Attack[]>>> {
  return {
    respelled: await respelled(),
    repacked: await repacked(),
    exhausting: await exhausting(),
    'odd keys': await oddKeys(),
    overreaching: await overreaching(),
  };
}
