import { type FormEvent, useId, useState } from 'react';
import { useQuery } from '../../shell/use-route.js';
import { useAnswer } from '../asking/use-answer.js';
import { useChainHref } from '../here/chain-href.js';
import { paths } from '../here/paths.js';
import { Facts } from '../parts/facts.js';
import { IdLink } from '../parts/id-link.js';
import { Outcome } from '../parts/outcome.js';
import { Pager } from '../parts/pager.js';
import { RawAnswer } from '../parts/raw-answer.js';
import { usePages } from '../parts/use-pages.js';
import { ContractCard, type TokenContract } from './contract-card.js';

/** The parameters of the module, and the contracts of a minter: at first the one that the chain's own parameters name. */
export function TokensOfMinter() {
  const chosen = useQuery().get('minter') ?? undefined;
  const parameters = useAnswer(paths.tokenParams);
  const entityParameters = useAnswer(paths.entityParams);
  const { params } = (entityParameters.answer?.ok === true ? entityParameters.answer.body : {}) as {
    params?: { nftContractMinter?: string };
  };
  const minter = chosen ?? params?.nftContractMinter;
  return (
    <div className="stack">
      <section className="card stack" aria-labelledby="parameters-heading">
        <h2 id="parameters-heading">Token parameters</h2>
        <Outcome asked={parameters} isShort>
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
      <Outcome asked={pages}>
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
      <RawAnswer asked={pages} />
    </section>
  );
}
