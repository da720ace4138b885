import type { ReactNode } from 'react';
import type { Entity } from './entity.js';
import { dayOf } from './parts/format.js';
import { ChainLink } from './parts/links.js';
import { Listing } from './parts/listing.js';
import { paths } from './parts/paths.js';

/** The columns of the entity list. */
const entityColumns: readonly { readonly name: string; readonly textOf: (entity: Entity) => string }[] = [
  { name: 'Id', textOf: ({ id }) => id },
  { name: 'Type', textOf: ({ type }) => type },
  { name: 'From', textOf: ({ start_date: from }) => dayOf(from) ?? '–' },
  { name: 'To', textOf: ({ end_date: to }) => dayOf(to) ?? '–' },
  { name: 'Verified', textOf: ({ entity_verified: is }) => (is ? 'Yes' : 'No') },
];

export function EntityList() {
  return (
    <Listing<Entity>
      name="entities"
      path={paths.entities}
      rowsOf={({ entities }: { entities: readonly Entity[] }) => entities}
      idOf={({ id }) => id}
      filters={[
        { key: 'type', name: 'Type contains', holds: ({ type }, wanted) => type.includes(wanted) },
        {
          key: 'verified',
          name: 'Verified',
          choices: ['Yes', 'No'],
          holds: ({ entity_verified: is }, wanted) => is === (wanted === 'Yes'),
        },
        { key: 'relayer', name: 'Relayer', holds: ({ relayer_node: relayer }, wanted) => relayer === wanted },
      ]}
      columns={entityColumns.map(({ name, textOf }) => ({
        name,
        of: (entity) => cellOf(name, entity, textOf(entity)),
      }))}
    />
  );
}

function cellOf(name: string, { id }: Entity, text: string): ReactNode {
  if (name === 'Type') return <span className="badge accent">{text}</span>;
  if (name !== 'Id') return text;
  return (
    <ChainLink to={['entities', id]} className="mono">
      {text}
    </ChainLink>
  );
}
