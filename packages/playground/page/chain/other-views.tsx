import { type ComponentType, lazy, type ReactNode } from 'react';
import { NotFound } from '../not-found/not-found.js';
import { AccountView } from './account-view.js';
import { BlockList, BlockView } from './blocks.js';
import { ClaimView, DisputeView } from './claim-view.js';
import { ClaimList, CollectionList, CollectionView } from './claims.js';
import { DocumentView, EntityView } from './entity-view.js';
import { FindView } from './find/find-view.js';
import type { LiveBlocks } from './parts/live-blocks.js';
import { isKnown, isSingle, type SingleView } from './parts/paths.js';
import { TokensOfMinter, TokenView } from './tokens.js';
import { TransactionView } from './transactions.js';
import { ValidatorList, ValidatorView } from './validators.js';

const QueryView = lazy(() => import('./queries/query-view.js').then(({ QueryView: view }) => ({ default: view })));

export interface OtherViewProps {
  readonly view: string;
  /** The id of a single object; undefined for a list. */
  readonly id: string | undefined;
  readonly live: LiveBlocks;
}

/** Any view of the chain but its first list. */
export function OtherView({ view, id, live }: OtherViewProps): ReactNode {
  if (!isKnown(view, id)) return <NotFound />;
  if (id === undefined) return listOf(view, live);
  const View = isSingle(view) ? single[view] : NotFound;
  return <View key={`${view} ${id}`} id={id} />;
}

function listOf(view: string, live: LiveBlocks): ReactNode {
  if (view === 'claims') return <ClaimList />;
  if (view === 'collections') return <CollectionList />;
  if (view === 'tokens') return <TokensOfMinter />;
  if (view === 'validators') return <ValidatorList />;
  if (view === 'queries') return <QueryView id={undefined} />;
  return <BlockList live={live} />;
}

const single: Readonly<Record<SingleView, ComponentType<{ readonly id: string }>>> = {
  accounts: AccountView,
  blocks: BlockView,
  claims: ClaimView,
  collections: CollectionView,
  disputes: DisputeView,
  documents: DocumentView,
  entities: EntityView,
  find: ({ id }) => <FindView text={id} />,
  queries: QueryView,
  tokens: TokenView,
  transactions: TransactionView,
  validators: ValidatorView,
};
