import { ToolCall, type ToolCallProps } from '@mlango/oracle-client/ui';
import { EntityCard } from './entity-card.js';

interface Found {
  readonly id: string;
  readonly type?: unknown;
  readonly entity_verified?: unknown;
}

/** A call that looked up an entity, as the card of it: what the oracle has kept of an answer has the call and no card. */
export function EntityFound(call: ToolCallProps) {
  const entity = entityIn(call.output);
  if (entity === undefined) return <ToolCall {...call} />;
  return <EntityCard did={entity.id} type={entity.type} isVerified={entity.entity_verified} />;
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
  const { id } = value as { id?: unknown };
  if (typeof id === 'string' && id.startsWith('did:')) return { ...value, id };
  for (const inner of Object.values(value)) {
    const entity = found(inner, depth - 1);
    if (entity !== undefined) return entity;
  }
  return undefined;
}
