import type { ConverseGrant } from '@mlango/oracle-client/browser-identity';

const name = 'mlango-linked-phone';

/** The linked phone. The stored token is useless without this browser's key, which no script can read. */
export function linkedPhone(): ConverseGrant | undefined {
  try {
    return grantIn(JSON.parse(localStorage.getItem(name) ?? 'null'));
  } catch {
    return undefined;
  }
}

export function storeLinkedPhone({ did, delegation }: ConverseGrant): void {
  try {
    localStorage.setItem(name, JSON.stringify({ did, delegation }));
  } catch {
    // Storage is shut: the link holds until the page is left.
  }
}

export function removeLinkedPhone(): void {
  try {
    localStorage.removeItem(name);
  } catch {
    // Nothing is kept there either.
  }
}

function grantIn(kept: unknown): ConverseGrant | undefined {
  if (typeof kept !== 'object' || kept === null || !('did' in kept) || !('delegation' in kept)) return undefined;
  const { did, delegation } = kept;
  return typeof did === 'string' && typeof delegation === 'string' ? { did, delegation } : undefined;
}
