import type { ReactNode } from 'react';
import { ChainLink } from '../here/chain-link.js';
import { paths } from '../here/paths.js';
import { Listing } from '../parts/listing.js';
import type { Entity } from './entity.js';
import { entityColumns } from './entity-columns.js';

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
