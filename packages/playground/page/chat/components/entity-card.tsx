import { Card } from '@mlango/oracle-client/ui';
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
    <Card
      className="tool-card entity-card"
      title={did}
      badge={typeof type === 'string' ? type : undefined}
      actions={<a href={hrefOf('chain', 'entities', did)}>Open in the explorer</a>}
    >
      {isVerified === true ? 'Verified' : null}
    </Card>
  );
}
