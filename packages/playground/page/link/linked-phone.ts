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
    // Nothing is stored there either.
  }
}

function grantIn(stored: unknown): ConverseGrant | undefined {
  if (typeof stored !== 'object' || stored === null || !('did' in stored) || !('delegation' in stored))
    return undefined;
  const { did, delegation } = stored;
  return typeof did === 'string' && typeof delegation === 'string' ? { did, delegation } : undefined;
}
