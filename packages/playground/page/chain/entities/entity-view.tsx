import { paths } from '../here/paths.js';
import { Single } from '../parts/single.js';
import type { Entity, IidDocument } from './entity.js';
import { DocumentParts, EntityCard } from './entity-card.js';

export function EntityView({ id }: { readonly id: string }) {
  return (
    <Single kind="Entity" id={id} path={paths.entity(id)} list={['entities', 'entities']}>
      {({ entity, iidDocument }: { entity: Entity; iidDocument: IidDocument | null }) => (
        <EntityCard entity={entity} document={iidDocument} />
      )}
    </Single>
  );
}

/** What a DID says of itself that is no entity: a person's, for one. */
export function DocumentView({ id }: { readonly id: string }) {
  return (
    <Single kind="Document" id={id} path={paths.document(id)}>
      {({ iidDocument }: { iidDocument: IidDocument }) => (
        <div className="stack">
          <h2 className="break">{id}</h2>
          <DocumentParts document={iidDocument} />
        </div>
      )}
    </Single>
  );
}
