/** The heading for an item by its last change: a name of `Words`, or the first day of a month. */
export type DateGroup = 'today' | 'yesterday' | 'week' | Date;

export interface Grouped<Item> {
  readonly group: DateGroup;
  readonly items: readonly Item[];
}

/**
 * Items by their last change, in their order, by the days of this device. Pure.
 *
 * @param changedAt ISO 8601; without one the item counts as today's
 */
export function byDate<Item>(
  items: readonly Item[],
  changedAt: (item: Item) => string | undefined,
  now: Date,
): Grouped<Item>[] {
  const groups: { group: DateGroup; items: Item[] }[] = [];
  for (const item of items) {
    const group = groupOf(new Date(changedAt(item) ?? now), now);
    const last = groups.at(-1);
    if (last !== undefined && String(last.group) === String(group)) last.items.push(item);
    else groups.push({ group, items: [item] });
  }
  return groups;
}

function groupOf(changed: Date, now: Date): DateGroup {
  const daysAgo = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  if (!(changed < daysAgo(0))) return 'today';
  if (changed >= daysAgo(1)) return 'yesterday';
  return changed >= daysAgo(7) ? 'week' : new Date(changed.getFullYear(), changed.getMonth(), 1);
}
