import { dayOf } from '../parts/words.js';
import type { Entity } from './entity.js';

/** What the list of entities says of each, in its order. */
export const entityColumns: readonly { readonly name: string; readonly textOf: (entity: Entity) => string }[] = [
  { name: 'Id', textOf: ({ id }) => id },
  { name: 'Type', textOf: ({ type }) => type },
  { name: 'From', textOf: ({ start_date: from }) => dayOf(from) ?? '–' },
  { name: 'To', textOf: ({ end_date: to }) => dayOf(to) ?? '–' },
  { name: 'Verified', textOf: ({ entity_verified: is }) => (is ? 'Yes' : 'No') },
];
