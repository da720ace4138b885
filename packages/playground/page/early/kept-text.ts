const place = 'early message';

/** What was typed at an address before the chat was there, in a tab that was then loaded again. */
export function readText(hash: string): string {
  try {
    return sessionStorage.getItem(`${place} ${hash}`) ?? '';
  } catch {
    return '';
  }
}

/** Keeps it until it is empty. A browser that keeps nothing for this page goes without. */
export function keepText(hash: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(`${place} ${hash}`);
    else sessionStorage.setItem(`${place} ${hash}`, text);
  } catch {
    // Full, or switched off.
  }
}
