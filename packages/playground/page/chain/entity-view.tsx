import { type Entity, type IidDocument, type Linked, whereOf } from './entity.js';
import { Facts, IdLink } from './parts/facts.js';
import { dayOf } from './parts/format.js';
import { Single } from './parts/outcome.js';
import { paths } from './parts/paths.js';

interface LinkedListProps {
  readonly title: string;
  readonly items: readonly Linked[];
  /** Service names that addresses may start with. */
  readonly services: readonly Linked[];
}

/** Parts of a document: people use the part of an id after the `#` as its name. */
function LinkedList({ title, items, services }: LinkedListProps) {
  if (items.length === 0) return null;
  return (
    <section className="card stack" aria-label={title}>
      <h3>{title}</h3>
      <ul className="linked">
        {items.map((item) => (
          <li key={item.id}>
            <span className="row">
              {item.id.includes('#') ? <strong>#{item.id.split('#')[1]}</strong> : <IdLink id={item.id} />}
              <span className="badge">{item.type}</span>
            </span>
            {item.description ? <span>{item.description}</span> : null}
            {item.blockchainAccountID ? <IdLink id={item.blockchainAccountID} /> : null}
            {item.serviceEndpoint ? <Where endpoint={item.serviceEndpoint} services={services} /> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The URL of a part, or its embedded content. */
function Where({ endpoint, services }: { readonly endpoint: string; readonly services: readonly Linked[] }) {
  const where = whereOf(endpoint, services);
  if (where.kind === 'here') {
    return (
      <details className="raw">
        <summary>Show content</summary>
        <pre className="path">{where.text}</pre>
      </details>
    );
  }
  if (where.kind === 'text') return <span className="small quiet break mono">{where.text}</span>;
  return (
    <a className="small break mono" href={where.href} target="_blank" rel="noopener noreferrer">
      {where.href}
      <span className="unseen"> (another site, in a new tab)</span>
    </a>
  );
}

interface EntityCardProps {
  readonly entity: Entity;
  readonly document: IidDocument | null;
}

function EntityCard({ entity, document }: EntityCardProps) {
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

/** The parts of a DID document. */
function DocumentParts({ document }: { readonly document: IidDocument }) {
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

export function EntityView({ id }: { readonly id: string }) {
  return (
    <Single kind="Entity" id={id} path={paths.entity(id)} list={['entities', 'entities']}>
      {({ entity, iidDocument }: { entity: Entity; iidDocument: IidDocument | null }) => (
        <EntityCard entity={entity} document={iidDocument} />
      )}
    </Single>
  );
}

/** The document of a DID that is no entity, such as a person's. */
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
