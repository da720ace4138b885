import { type Handset, handsetAfter, newHandset } from './handset.js';

/** The phones and the selected one. */
export interface StoredHandsets {
  readonly all: readonly Handset[];
  readonly chosen: string;
}

/** Key in the session storage, with the version of the value. */
const place = 'mlango handsets 2';

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/**
 * Stores the phones until the tab is closed: the inputs contain PINs. Storage may be unavailable.
 */
export function storeHandsets({ all, chosen }: StoredHandsets, store: () => Store = tabStore): void {
  try {
    store().setItem(place, JSON.stringify({ all, chosen }));
  } catch {
    // Storage is full or disabled.
  }
}

/** The stored phones, with a new phone for each number that is not stored. */
export function storedHandsets(
  numbers: readonly [string, ...string[]],
  code: string,
  store: () => Store = tabStore,
): StoredHandsets {
  const { all: stored, chosen } = read(store) ?? { all: [], chosen: numbers[0] };
  const missing = numbers.filter((number) => !stored.some((one) => one.number === number));
  const all = [...stored.map(restore), ...missing.map((number) => newHandset(number, code))];
  return { all, chosen: all.some(({ number }) => number === chosen) ? chosen : numbers[0] };
}

/** Closes a session that was waiting for a response before the reload. */
function restore(handset: Handset): Handset {
  return handset.phase === 'waiting' ? handsetAfter(handset, { type: 'cancelled', why: 'left' }) : handset;
}

function read(store: () => Store): StoredHandsets | undefined {
  try {
    const value: unknown = JSON.parse(store().getItem(place) ?? 'null');
    return isStored(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isStored(value: unknown): value is StoredHandsets {
  if (typeof value !== 'object' || value === null || !('all' in value) || !('chosen' in value)) return false;
  return typeof value.chosen === 'string' && Array.isArray(value.all) && value.all.every(isHandset);
}

function isHandset(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('number' in value) || !('hops' in value)) return false;
  return typeof value.number === 'string' && Array.isArray(value.hops);
}

function tabStore(): Store {
  return sessionStorage;
}
