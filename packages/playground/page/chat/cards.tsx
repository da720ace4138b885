import type { UiComponents } from '@mlango/oracle-client';
import { Card, ToolCall, type ToolCallProps } from '@mlango/oracle-client/ui';
import { hrefOf } from '../shell/route.js';

/** The page's components for rendered components and tool calls, by name. */
export const uiComponents: UiComponents = {
  entity_card: EntityCard,
  claim_card: ClaimCard,
  token_parameters_card: TokenParametersCard,
  lookup_entity: EntityFound,
  notice_card: NoticeCard,
};

/** Parameters of tokens, with a link to the explorer. Shown by `render_component` as `token_parameters_card`. */
function TokenParametersCard({ contractCode }: { readonly contractCode?: unknown }) {
  if (typeof contractCode !== 'string') return null;
  return (
    <Card
      className="tool-card token-parameters-card"
      title={`Contracts of tokens have code ${contractCode}`}
      actions={<a href={hrefOf('chain', 'tokens')}>Open tokens in the explorer</a>}
    />
  );
}

interface NoticeCardProps {
  readonly title?: unknown;
  readonly text?: unknown;
}

/** A card that an oracle may show by `render_component`, with a text. */
function NoticeCard({ title, text }: NoticeCardProps) {
  return (
    <Card className="tool-card notice-card" title={typeof title === 'string' ? title : 'Notice'}>
      {typeof text === 'string' ? text : null}
    </Card>
  );
}

interface Found {
  readonly id: string;
  readonly type?: unknown;
  readonly entity_verified?: unknown;
}

/** A call that looked up an entity, as its card: a stored answer has the call but no card. */
function EntityFound(call: ToolCallProps) {
  const entity = entityIn(call.output);
  if (entity === undefined) return <ToolCall {...call} />;
  return <EntityCard did={entity.id} type={entity.type} isVerified={entity.entity_verified} />;
}

/** Finds an object with an entity id in the tool's result. */
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

interface ClaimCardProps {
  readonly claimId?: unknown;
  readonly collectionId?: unknown;
  readonly evaluation?: unknown;
}

/** A claim that the oracle has looked up, with a link to the explorer. Shown by `render_component` as `claim_card`. */
function ClaimCard({ claimId, collectionId, evaluation }: ClaimCardProps) {
  if (typeof claimId !== 'string') return null;
  return (
    <Card
      className="tool-card claim-card"
      title={claimId}
      badge={typeof evaluation === 'string' ? evaluation : 'PENDING'}
      actions={<a href={hrefOf('chain', 'claims', claimId)}>Open in the explorer</a>}
    >
      {typeof collectionId === 'string' ? `Collection ${collectionId}` : null}
    </Card>
  );
}

interface EntityCardProps {
  readonly did?: unknown;
  readonly type?: unknown;
  readonly isVerified?: unknown;
}

/** An entity that the oracle has looked up, with a link to the explorer. Shown by `render_component` as `entity_card`. */
function EntityCard({ did, type, isVerified }: EntityCardProps) {
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
