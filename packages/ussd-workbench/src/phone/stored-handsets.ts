import { type Handset, handsetAfter, newHandset } from './handset.js';

/** Phones, and which of them is in hand. */
export interface StoredHandsets {
  readonly all: readonly Handset[];
  readonly chosen: string;
}

/** Where a tab keeps them, with the version of what is kept. */
const place = 'mlango handsets 1';

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/**
 * Keeps phones for as long as the tab is open, and no longer: what was typed has PINs in it. A browser that keeps nothing for this page goes
 * without.
 */
export function storeHandsets({ all, chosen }: StoredHandsets, store: () => Store = tabStore): void {
  try {
    store().setItem(place, JSON.stringify({ all, chosen }));
  } catch {
    // Full, or switched off.
  }
}

/** Phones as they were before the page was loaded again, and those of the numbers that were not there. */
export function storedHandsets(
  numbers: readonly [string, ...string[]],
  code: string,
  store: () => Store = tabStore,
): StoredHandsets {
  const { all: kept, chosen } = read(store) ?? { all: [], chosen: numbers[0] };
  const given = numbers.filter((number) => !kept.some((one) => one.number === number));
  const all = [...kept.map(comeBack), ...given.map((number) => newHandset(number, code))];
  return { all, chosen: all.some(({ number }) => number === chosen) ? chosen : numbers[0] };
}

/** An answer that was on its way comes to nobody any more. */
function comeBack(handset: Handset): Handset {
  return handset.phase === 'waiting' ? handsetAfter(handset, { type: 'cancelled', why: 'left' }) : handset;
}

function read(store: () => Store): StoredHandsets | undefined {
  try {
    const kept: unknown = JSON.parse(store().getItem(place) ?? 'null');
    return isKept(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isKept(kept: unknown): kept is StoredHandsets {
  if (typeof kept !== 'object' || kept === null || !('all' in kept) || !('chosen' in kept)) return false;
  return typeof kept.chosen === 'string' && Array.isArray(kept.all) && kept.all.every(isHandset);
}

function isHandset(kept: unknown): boolean {
  if (typeof kept !== 'object' || kept === null || !('number' in kept) || !('hops' in kept)) return false;
  return typeof kept.number === 'string' && Array.isArray(kept.hops);
}

function tabStore(): Store {
  return sessionStorage;
}
