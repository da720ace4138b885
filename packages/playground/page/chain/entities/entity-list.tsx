import { ChainLink } from '../here/chain-link.js';
import { paths } from '../here/paths.js';
import { Listing } from '../parts/listing.js';
import { dayOf } from '../parts/words.js';
import type { Entity } from './entity.js';

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
      columns={[
        {
          name: 'Id',
          of: ({ id }) => (
            <ChainLink to={['entities', id]} className="mono">
              {id}
            </ChainLink>
          ),
        },
        { name: 'Type', of: ({ type }) => <span className="badge accent">{type}</span> },
        { name: 'From', of: ({ start_date: from }) => dayOf(from) ?? '–' },
        { name: 'To', of: ({ end_date: to }) => dayOf(to) ?? '–' },
        { name: 'Verified', of: ({ entity_verified: is }) => (is ? 'Yes' : 'No') },
      ]}
    />
  );
}
