import { type ComponentType, lazy, type ReactNode } from 'react';
import { NotFound } from '../lost/not-found.js';
import { AccountView } from './accounts/account-view.js';
import { BlockList } from './blocks/block-list.js';
import { BlockView } from './blocks/block-view.js';
import { ClaimList } from './claims/claim-list.js';
import { ClaimView, DisputeView } from './claims/claim-view.js';
import { CollectionList, CollectionView } from './claims/collection-list.js';
import { DocumentView, EntityView } from './entities/entity-view.js';
import { FindView } from './find/find-view.js';
import { isKnown, isSingle, type SingleView } from './here/views.js';
import type { LiveBlocks } from './live/use-live-blocks.js';
import { TokenView } from './tokens/token-view.js';
import { TokensOfMinter } from './tokens/tokens-of-minter.js';
import { TransactionView } from './transactions/transaction-view.js';
import { ValidatorList, ValidatorView } from './validators/validator-views.js';

const QueryView = lazy(() => import('./queries/query-view.js').then(({ QueryView: view }) => ({ default: view })));

export interface OtherViewProps {
  readonly view: string;
  /** Of what is looked at alone; undefined for a list. */
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
