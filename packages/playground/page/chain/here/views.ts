/** The lists of the chain, in the order in which they are offered. */
export const views = [
  { id: 'entities', name: 'Entities' },
  { id: 'claims', name: 'Claims' },
  { id: 'collections', name: 'Collections' },
  { id: 'tokens', name: 'Tokens' },
  { id: 'validators', name: 'Validators' },
  { id: 'blocks', name: 'Blocks' },
  { id: 'queries', name: 'All queries' },
] as const;

/** What is looked at alone, by its id. */
const singles = [
  'accounts',
  'blocks',
  'claims',
  'collections',
  'disputes',
  'documents',
  'entities',
  'find',
  'queries',
  'tokens',
  'transactions',
  'validators',
] as const;

export type SingleView = (typeof singles)[number];

/** Whether there is such a view of the chain: a list without an id, with one something alone. */
export function isKnown(view: string, id: string | undefined): boolean {
  return id === undefined ? views.some((one) => one.id === view) : isSingle(view);
}

/** Whether something is looked at alone under this name. */
export function isSingle(view: string): view is SingleView {
  return singles.some((one) => one === view);
}

/** Whether it is the list that the chain begins with. */
export function isFirstList(view: string, id: string | undefined): boolean {
  return id === undefined && view === views[0].id;
}
