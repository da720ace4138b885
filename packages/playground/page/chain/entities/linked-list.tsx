interface Item {
  readonly id: string;
  readonly type: string;
  readonly description?: string;
  readonly serviceEndpoint?: string;
}

/** Parts of a document: what comes after the `#` of an id is the name that people use. */
export function LinkedList({ title, items }: { readonly title: string; readonly items: readonly Item[] }) {
  if (items.length === 0) return null;
  return (
    <section className="card stack" aria-label={title}>
      <h3>{title}</h3>
      <ul className="linked">
        {items.map(({ id, type, description, serviceEndpoint }) => (
          <li key={id}>
            <span className="row">
              <strong>{id.includes('#') ? `#${id.split('#')[1]}` : id}</strong>
              <span className="badge">{type}</span>
            </span>
            {description ? <span>{description}</span> : null}
            {serviceEndpoint ? <span className="small quiet break mono">{serviceEndpoint.slice(0, 120)}</span> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
