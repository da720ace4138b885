import { hrefOf } from '../../shell/use-route.js';
import { type ToolCallProps, ToolCallView } from './tool-call-view.js';

interface Found {
  readonly id: string;
  readonly type?: string;
}

/** An entity that the oracle has looked up, as a card with a way to the explorer. */
export function EntityFound(call: ToolCallProps) {
  const entity = entityIn(call.output);
  if (entity === undefined) return <ToolCallView {...call} />;
  return (
    <span className="tool-card entity-found">
      <span className="row">
        <strong>{entity.id}</strong>
        {entity.type === undefined ? null : <span className="badge accent">{entity.type}</span>}
      </span>
      <a href={hrefOf('chain', 'entities', entity.id)}>Open in the explorer</a>
    </span>
  );
}

/** Somewhere in what the tool gave there is an object with the id of an entity. */
function entityIn(output: string | undefined): Found | undefined {
  try {
    return found(JSON.parse(output ?? ''), 3);
  } catch {
    return undefined;
  }
}

function found(value: unknown, depth: number): Found | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return undefined;
  const { id, type } = value as { id?: unknown; type?: unknown };
  if (typeof id === 'string' && id.startsWith('did:')) return { id, ...(typeof type === 'string' ? { type } : {}) };
  for (const inner of Object.values(value)) {
    const entity = found(inner, depth - 1);
    if (entity !== undefined) return entity;
  }
  return undefined;
}
