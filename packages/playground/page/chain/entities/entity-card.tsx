import { hrefOf } from '../../shell/use-route.js';
import { Facts } from '../parts/facts.js';
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
            [
              'Relayer',
              <a key="relayer" className="mono" href={hrefOf('chain', 'entities', entity.relayer_node)}>
                {entity.relayer_node}
              </a>,
            ],
            ['Controlled by', document?.controller.join(', ')],
            ...entity.accounts.map(
              ({ name, address }) => [`Account ${name}`, <code key={name}>{address}</code>] as const,
            ),
          ]}
        />
      </article>
      {document === null ? null : (
        <div className="columns">
          <LinkedList title="Services" items={document.service} />
          <LinkedList title="Resources" items={document.linkedResource} />
          <LinkedList title="Claims about it" items={document.linkedClaim} />
          <LinkedList title="Keys" items={document.verificationMethod} />
        </div>
      )}
    </div>
  );
}
