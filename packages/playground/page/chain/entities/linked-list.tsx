import { IdLink } from '../parts/id-link.js';
import type { Linked } from './entity.js';
import { whereOf } from './where-of.js';

interface LinkedListProps {
  readonly title: string;
  readonly items: readonly Linked[];
  /** Services of the document, whose names addresses may begin with. */
  readonly services: readonly Linked[];
}

/** Parts of a document: what comes after the `#` of an id is the name that people use. */
export function LinkedList({ title, items, services }: LinkedListProps) {
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

/** Where a part is, or what it says where it stands in the document itself. */
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
