import { Facts } from '../parts/facts.js';
import { IdLink } from '../parts/id-link.js';
import { dayOf } from '../parts/words.js';
import type { Entity, IidDocument } from './entity.js';
import { LinkedList } from './linked-list.js';

interface EntityCardProps {
  readonly entity: Entity;
  readonly document: IidDocument | null;
}

export function EntityCard({ entity, document }: EntityCardProps) {
  return (
    <div className="stack">
      <article className="card stack">
        <div className="row">
          <h2 className="break">{entity.id}</h2>
          <span className="badge accent">{entity.type}</span>
          <span className={`badge ${entity.entity_verified ? 'good' : ''}`}>
            {entity.entity_verified ? 'Verified' : 'Not verified'}
          </span>
        </div>
        <Facts
          facts={[
            ['From', dayOf(entity.start_date)],
            ['To', dayOf(entity.end_date) ?? 'No end'],
            ['Relayer', <IdLink key="relayer" id={entity.relayer_node} />],
            ...entity.accounts.map(
              ({ name, address }) => [`Account ${name}`, <IdLink key={name} id={address} />] as const,
            ),
          ]}
        />
      </article>
      {document === null ? null : <DocumentParts document={document} />}
    </div>
  );
}

/** What is in the document of a DID. */
export function DocumentParts({ document }: { readonly document: IidDocument }) {
  const { service } = document;
  return (
    <div className="columns">
      <LinkedList
        title="Controllers"
        services={service}
        items={document.controller.map((id) => ({ id, type: 'DID' }))}
      />
      <LinkedList title="Services" services={service} items={service} />
      <LinkedList title="Resources" services={service} items={document.linkedResource} />
      <LinkedList title="Linked claims" services={service} items={document.linkedClaim} />
      <LinkedList
        title="Linked entities"
        services={service}
        items={document.linkedEntity.map(({ id, relationship }) => ({ id, type: relationship }))}
      />
      <LinkedList title="Keys" services={service} items={document.verificationMethod} />
    </div>
  );
}
