import { hrefOf } from '../../shell/route.js';

interface EntityCardProps {
  readonly did?: unknown;
  readonly type?: unknown;
  readonly isVerified?: unknown;
}

/** An entity that the oracle has looked up, with a way to the explorer. Shown by `render_component` as `entity_card`. */
export function EntityCard({ did, type, isVerified }: EntityCardProps) {
  if (typeof did !== 'string') return null;
  return (
    <span className="tool-card entity-card">
      <span className="row">
        <strong className="break">{did}</strong>
        {typeof type === 'string' ? <span className="badge accent">{type}</span> : null}
        {isVerified === true ? <span className="badge good">Verified</span> : null}
      </span>
      <a href={hrefOf('chain', 'entities', did)}>Open in the explorer</a>
    </span>
  );
}
