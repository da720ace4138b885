import { recordOf } from '../../requests/record-of.js';

/** Where the models that were chosen are kept in the browser. */
const place = 'mlango models';

/** Which model was chosen, for the same user and oracle; undefined where none was, or nothing is kept. */
export function readModel(key: string): string | undefined {
  const kept = allKept()[key];
  return typeof kept === 'string' ? kept : undefined;
}

/** A browser that keeps nothing for this page goes without. */
export function keepModel(key: string, id: string): void {
  try {
    localStorage.setItem(place, JSON.stringify({ ...allKept(), [key]: id }));
  } catch {
    // Full, or switched off.
  }
}

function allKept(): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(localStorage.getItem(place) ?? '{}'));
  } catch {
    return {};
  }
}
