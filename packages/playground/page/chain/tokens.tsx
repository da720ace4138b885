import { type FormEvent, useId, useState } from 'react';
import { useQuery } from '../shell/use-route.js';
import { Facts, IdLink } from './parts/facts.js';
import { shortId } from './parts/format.js';
import { RawAnswer } from './parts/json-view.js';
import { ChainLink, useChainHref } from './parts/links.js';
import { Pager, usePages } from './parts/listing.js';
import { Outcome, Single } from './parts/outcome.js';
import { paths } from './parts/paths.js';
import { useChainQuery } from './parts/requests.js';

interface Movement {
  readonly id: string;
  readonly amount: string;
  readonly reason: string;
}

/** The fields of a token contract that the view uses. */
export interface TokenContract {
  readonly contract_address: string;
  readonly class: string;
  readonly name: string;
  readonly description: string;
  readonly supply: string;
  readonly cap: string;
  readonly paused: boolean;
  readonly stopped: boolean;
  readonly retired: readonly Movement[];
  readonly cancelled: readonly Movement[];
}

function ContractCard({ contract }: { readonly contract: TokenContract }) {
  const { name, description, supply, paused, stopped, retired, cancelled } = contract;
  return (
    <article className="card stack tight-stack">
      <div className="row spread">
        <h3>{name}</h3>
        <span className={`badge ${paused || stopped ? 'bad' : 'good'}`}>
          {stopped ? 'Stopped' : paused ? 'Paused' : 'Live'}
        </span>
      </div>
      <p className="small">{description}</p>
      <Facts
        facts={[
          ['Supply', BigInt(/^\d+$/.test(supply) ? supply : '0').toLocaleString('en')],
          ['Class', <IdLink key="class" id={contract.class} />],
          ['Contract', <IdLink key="contract" id={contract.contract_address} isShort />],
        ]}
      />
      <ul className="linked small">
        {[
          ...retired.map((one) => ({ ...one, what: 'retired' })),
          ...cancelled.map((one) => ({ ...one, what: 'cancelled' })),
        ].map(({ id, amount, reason, what }) => (
          <li key={`${what} ${id}`}>
            <span>
              {amount} {what}: {reason},{' '}
              <ChainLink className="mono" to={['tokens', id]}>
                {shortId(id, 18)}
              </ChainLink>
            </span>
          </li>
        ))}
      </ul>
    </article>
  );
}

/** The parameters of the module, and the contracts of a minter: initially the one in the chain's parameters. */
export function TokensOfMinter() {
  const chosen = useQuery().get('minter') ?? undefined;
  const parameters = useChainQuery(paths.tokenParams);
  const entityParameters = useChainQuery(paths.entityParams);
  const { params } = (entityParameters.answer?.ok === true ? entityParameters.answer.body : {}) as {
    params?: { nftContractMinter?: string };
  };
  const minter = chosen ?? params?.nftContractMinter;
  return (
    <div className="stack">
      <section className="card stack" aria-labelledby="parameters-heading">
        <h2 id="parameters-heading">Token parameters</h2>
        <Outcome query={parameters} isShort>
          {(body) => (
            <Facts
              facts={Object.entries((body as { params: Record<string, unknown> }).params).map(
                ([name, value]) => [name, <code key={name}>{String(value)}</code>] as const,
              )}
            />
          )}
        </Outcome>
      </section>
      <MinterForm example={minter ?? 'ixo1…'} />
      {minter === undefined ? null : <Contracts key={minter} minter={minter} />}
    </div>
  );
}

function MinterForm({ example }: { readonly example: string }) {
  const [text, setText] = useState('');
  const href = useChainHref();
  const id = useId();
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() !== '') window.location.hash = href(['tokens'], { minter: text.trim() });
  }
  return (
    <form className="find field" onSubmit={onSubmit}>
      <label htmlFor={id}>Contracts of a minter</label>
      <div className="joined">
        <input id={id} value={text} placeholder={example} onChange={({ target }) => setText(target.value)} />
        <button type="submit">Show</button>
      </div>
    </form>
  );
}

function Contracts({ minter }: { readonly minter: string }) {
  const pages = usePages<{ readonly tokenDocs: readonly TokenContract[] }>(paths.tokensOf(minter), 20);
  return (
    <section className="stack" aria-labelledby="contracts-heading" aria-busy={pages.isLoading}>
      <h2 id="contracts-heading">Token contracts</h2>
      <p className="small quiet break">
        Minted by <IdLink id={minter} />
      </p>
      <Outcome query={pages}>
        {() =>
          pages.body?.tokenDocs.length === 0 ? (
            <p className="quiet">No contracts</p>
          ) : (
            <ul className="cards">
              {pages.body?.tokenDocs.map((contract) => (
                <li key={contract.contract_address}>
                  <ContractCard contract={contract} />
                </li>
              ))}
            </ul>
          )
        }
      </Outcome>
      <Pager pages={pages} name="token contracts" />
      <RawAnswer query={pages} />
    </section>
  );
}

interface TokenMetadata {
  readonly name: string;
  readonly description: string;
  readonly index: string;
  readonly decimals: string;
  readonly properties: { readonly class: string; readonly collection: string; readonly cap: string } | null;
}

export function TokenView({ id }: { readonly id: string }) {
  return (
    <Single kind="Token" id={id} path={paths.token(id)} list={['tokens', 'tokens']}>
      {(token: TokenMetadata) => <TokenCard id={id} token={token} />}
    </Single>
  );
}

function TokenCard({ id, token }: { readonly id: string; readonly token: TokenMetadata }) {
  const { properties } = token;
  return (
    <article className="card stack">
      <h2>
        {token.name} #{token.index}
      </h2>
      <p>{token.description}</p>
      <Facts
        facts={[
          ['Id', <IdLink key="id" id={id} />],
          ['Decimals', token.decimals],
          ['Class', properties === null ? '' : <IdLink key="class" id={properties.class} />],
          ['Collection', properties === null ? '' : <IdLink key="collection" id={properties.collection} />],
        ]}
      />
    </article>
  );
}
