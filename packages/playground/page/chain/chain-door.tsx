import { lazy, type ReactNode, Suspense } from 'react';
import { Title } from '../shell/title.js';
import { AccountView } from './accounts/account-view.js';
import { BlockList } from './blocks/block-list.js';
import { BlockView } from './blocks/block-view.js';
import { ClaimList } from './claims/claim-list.js';
import { ClaimView, DisputeView } from './claims/claim-view.js';
import { CollectionList, CollectionView } from './claims/collection-list.js';
import { EntityList } from './entities/entity-list.js';
import { DocumentView, EntityView } from './entities/entity-view.js';
import { FindAnything } from './find/find-anything.js';
import { FindView } from './find/find-view.js';
import { AsOfSwitch } from './here/as-of-switch.js';
import { useAsOf } from './here/chain-href.js';
import { ChainLink } from './here/chain-link.js';
import { HeightStrip } from './live/height-strip.js';
import { type LiveBlocks, useLiveBlocks } from './live/use-live-blocks.js';
import { TokenView } from './tokens/token-view.js';
import { TokensOfMinter } from './tokens/tokens-of-minter.js';
import { TransactionView } from './transactions/transaction-view.js';
import { ValidatorList, ValidatorView } from './validators/validator-views.js';
import './chain.css';

const QueryView = lazy(() => import('./queries/query-view.js').then(({ QueryView: view }) => ({ default: view })));

const views = [
  { id: 'entities', name: 'Entities' },
  { id: 'claims', name: 'Claims' },
  { id: 'collections', name: 'Collections' },
  { id: 'tokens', name: 'Tokens' },
  { id: 'validators', name: 'Validators' },
  { id: 'blocks', name: 'Blocks' },
  { id: 'queries', name: 'All queries' },
] as const;

export function ChainDoor({ route }: { readonly route: readonly string[] }) {
  const [view = 'entities', id] = route;
  const at = useAsOf();
  const live = useLiveBlocks();
  return (
    <div className="stack">
      <div className="row spread">
        <Title>A chain to look into</Title>
        <HeightStrip live={live} />
      </div>
      <div className="chain-bar">
        <FindAnything key={view === 'find' ? id : ''} sought={view === 'find' ? (id ?? '') : ''} />
        <AsOfSwitch key={at} />
      </div>
      <nav aria-label="Views of the chain" className="views">
        {views.map(({ id: one, name }) => (
          <ChainLink key={one} to={[one]} isHere={one === view}>
            {name}
          </ChainLink>
        ))}
      </nav>
      <Suspense fallback={<p className="quiet waiting">Opening…</p>}>
        {id === undefined ? listOf(view, live) : <Shown key={`${view} ${id}`} view={view} id={id} />}
      </Suspense>
    </div>
  );
}

function listOf(view: string, live: LiveBlocks): ReactNode {
  if (view === 'claims') return <ClaimList />;
  if (view === 'collections') return <CollectionList />;
  if (view === 'tokens') return <TokensOfMinter />;
  if (view === 'validators') return <ValidatorList />;
  if (view === 'blocks') return <BlockList live={live} />;
  if (view === 'queries') return <QueryView id={undefined} />;
  return <EntityList />;
}

const single: Readonly<Record<string, (props: { readonly id: string }) => ReactNode>> = {
  accounts: AccountView,
  blocks: BlockView,
  claims: ClaimView,
  collections: CollectionView,
  disputes: DisputeView,
  documents: DocumentView,
  entities: EntityView,
  find: ({ id }) => <FindView text={id} />,
  tokens: TokenView,
  transactions: TransactionView,
  validators: ValidatorView,
};

function Shown({ view, id }: { readonly view: string; readonly id: string }) {
  if (view === 'queries') return <QueryView id={id} />;
  const View = single[view] ?? EntityView;
  return <View id={id} />;
}
