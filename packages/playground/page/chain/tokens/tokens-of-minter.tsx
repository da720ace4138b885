import { useState } from 'react';
import { useAnswer } from '../asking/use-answer.js';
import { useQueryPath } from '../description/description-context.js';
import { Facts } from '../parts/facts.js';
import { FindForm } from '../parts/find-form.js';
import { Outcome } from '../parts/outcome.js';
import { Pager } from '../parts/pager.js';
import { RawAnswer } from '../parts/raw-answer.js';
import { usePages } from '../parts/use-pages.js';
import { ContractCard, type TokenContract } from './contract-card.js';

interface ContractPage {
  readonly tokenDocs: readonly TokenContract[];
  readonly pagination: { readonly next_key: string | null } | null;
}

/** The parameters of the module, and the contracts of a minter: at first the one that the chain's own parameters name. */
export function TokensOfMinter() {
  const [chosen, setChosen] = useState<string>();
  const parameters = useAnswer(useQueryPath('ixo.token.v1beta1.Query.Params'));
  const entityParameters = useAnswer(useQueryPath('ixo.entity.v1beta1.Query.Params'));
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
      <FindForm label="Contracts of a minter" example={minter ?? 'ixo1…'} action="Show" onFind={setChosen} />
      {minter === undefined ? null : <Contracts key={minter} minter={minter} />}
    </div>
  );
}

function Contracts({ minter }: { readonly minter: string }) {
  const pages = usePages<ContractPage>(useQueryPath('ixo.token.v1beta1.Query.TokenList', { minter }));
  return (
    <section className="stack" aria-labelledby="contracts-heading" aria-busy={pages.isLoading}>
      <h2 id="contracts-heading">Token contracts</h2>
      <p className="small quiet break">
        Minted by <span className="mono">{minter}</span>
      </p>
      <Outcome asked={pages}>
        {() =>
          pages.page?.tokenDocs.length === 0 ? (
            <p className="quiet">This minter has no contracts.</p>
          ) : (
            <ul className="cards">
              {pages.page?.tokenDocs.map((contract) => (
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
