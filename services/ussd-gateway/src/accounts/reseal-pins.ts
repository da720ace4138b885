import type { AccountStore } from './account-store.js';
import type { PinVault } from './pin-vault.js';

export interface ResealReport {
  readonly pins: number;
  readonly resealed: number;
  /** Customers whose PIN does not open with any key. */
  readonly unopened: readonly string[];
}

const partSize = 100;

/**
 * Seals every PIN again that is not under the current key. May run beside the service and any number of times: a PIN that
 * changes meanwhile is left as it was chosen.
 */
export async function resealPins(store: AccountStore, vault: PinVault): Promise<ResealReport> {
  let pins = 0;
  let resealed = 0;
  const unopened: string[] = [];
  for (let after = ''; ; ) {
    const part = await store.listPins(after, partSize);
    const last = part.at(-1);
    if (last === undefined) return { pins, resealed, unopened };
    for (const { id, sealedPin } of part) {
      pins++;
      const again = tryReseal(vault, id, sealedPin);
      if (again === 'unopened') unopened.push(id);
      else if (again !== undefined && (await store.replacePin(id, sealedPin, again))) resealed++;
    }
    after = last.id;
  }
}

function tryReseal(vault: PinVault, id: string, sealedPin: string): string | undefined {
  try {
    return vault.reseal(id, sealedPin);
  } catch {
    return 'unopened';
  }
}
