import { useMemo } from 'react';
import { Title } from '../shell/title.js';
import { hrefOf } from '../shell/use-route.js';
import { useAnswer } from './asking/use-answer.js';
import { ClaimList } from './claims/claim-list.js';
import { ClaimView } from './claims/claim-view.js';
import { readDescription } from './description/description.js';
import { DescriptionContext } from './description/description-context.js';
import { EntityList } from './entities/entity-list.js';
import { EntityView } from './entities/entity-view.js';
import { HeightStrip } from './height-strip.js';
import { Outcome } from './parts/outcome.js';
import { QueryView } from './queries/query-view.js';
import { TokenView } from './tokens/token-view.js';
import { TokensOfMinter } from './tokens/tokens-of-minter.js';
import './chain.css';

const views = [
  { id: 'entities', name: 'Entities' },
  { id: 'claims', name: 'Claims' },
  { id: 'tokens', name: 'Tokens' },
  { id: 'queries', name: 'All queries' },
] as const;

export function ChainDoor({ route }: { readonly route: readonly string[] }) {
  const [view = 'entities', id] = route;
  const asked = useAnswer('/openapi.json');
  const body = asked.answer?.ok === true ? asked.answer.body : undefined;
  const groups = useMemo(() => readDescription(body), [body]);
  return (
    <DescriptionContext value={groups}>
      <div className="stack">
        <div className="row spread">
          <Title>A chain to look into</Title>
          <HeightStrip />
        </div>
        <nav aria-label="Views of the chain" className="views">
          {views.map(({ id: one, name }) => (
            <a key={one} href={hrefOf('chain', one)} aria-current={one === view ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <Outcome asked={asked}>{() => <View view={view} id={id} />}</Outcome>
      </div>
    </DescriptionContext>
  );
}

function View({ view, id }: { readonly view: string; readonly id: string | undefined }) {
  if (view === 'claims') return id === undefined ? <ClaimList /> : <ClaimView key={id} id={id} />;
  if (view === 'tokens') return id === undefined ? <TokensOfMinter /> : <TokenView key={id} id={id} />;
  if (view === 'queries') return <QueryView id={id} />;
  return id === undefined ? <EntityList /> : <EntityView key={id} id={id} />;
}
