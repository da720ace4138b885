import { Facts, IdLink } from './parts/facts.js';
import { type Coin, coinText } from './parts/format.js';
import { RawAnswer } from './parts/json-view.js';
import { ChainLink } from './parts/links.js';
import { Outcome } from './parts/outcome.js';
import { paths } from './parts/paths.js';
import { useChainQuery } from './parts/requests.js';
import { TransactionList } from './transactions.js';

interface Delegations {
  readonly delegation_responses: readonly {
    readonly delegation: { readonly validator_address: string };
    readonly balance: Coin;
  }[];
}

/** The balance, the delegations and the transactions of an address. */
export function AccountView({ id }: { readonly id: string }) {
  const balances = useChainQuery(`${paths.balances(id)}?pagination.limit=100`);
  const account = useChainQuery(paths.account(id));
  const { info } = (account.answer?.ok === true ? account.answer.body : {}) as {
    info?: { readonly account_number: string; readonly sequence: string };
  };
  // Transactions load last, because they would move the content below.
  if (balances.answer === undefined || account.answer === undefined) {
    return <p className="quiet waiting">Loading…</p>;
  }
  return (
    <section className="stack" aria-label={`Account ${id}`} aria-busy={balances.isLoading}>
      <article className="card stack">
        <h2 className="break">{id}</h2>
        <Outcome query={balances} sought={id} isShort>
          {(body) => {
            const { balances: coins } = body as { balances: readonly Coin[] };
            return coins.length === 0 ? (
              <p className="quiet">No balance</p>
            ) : (
              <ul className="linked" aria-label="Balances">
                {coins.map((coin) => (
                  <li key={coin.denom} className="break">
                    {coinText(coin)}
                  </li>
                ))}
              </ul>
            );
          }}
        </Outcome>
        <Facts
          facts={[
            ['Number', info?.account_number],
            ['Signed', info === undefined ? '' : `${info.sequence} transactions`],
          ]}
        />
        <p className="row">
          <ChainLink to={['claims']} look={{ agent: id }}>
            Claims it submitted
          </ChainLink>
          <ChainLink to={['tokens']} look={{ minter: id }}>
            Tokens it mints
          </ChainLink>
        </p>
      </article>
      <div className="cards">
        <DelegationsOf address={id} />
        <TransactionList title="Sent" query={`message.sender='${id}'`} />
        <TransactionList title="Received" query={`transfer.recipient='${id}'`} />
      </div>
      <ContractOf address={id} />
      <RawAnswer query={balances} />
    </section>
  );
}

/** Shown where the address is a contract's, which have longer ones. */
function ContractOf({ address }: { readonly address: string }) {
  const { answer } = useChainQuery(address.length > 50 ? paths.contract(address) : undefined);
  if (answer?.ok !== true) return null;
  const { contract_info: info } = answer.body as {
    contract_info: { readonly label: string; readonly creator: string; readonly code_id: string } | null;
  };
  return (
    <section className="card stack" aria-label="Contract">
      <h3>Contract {info?.label}</h3>
      <Facts
        facts={[
          ['Created by', <IdLink key="by" id={info?.creator ?? ''} />],
          ['Code', info?.code_id],
        ]}
      />
    </section>
  );
}

function DelegationsOf({ address }: { readonly address: string }) {
  const query = useChainQuery(`${paths.delegations(address)}?pagination.limit=100`);
  return (
    <section className="card stack" aria-label="Delegations">
      <h3>Delegations</h3>
      <Outcome query={query} isShort>
        {(body) => {
          const { delegation_responses: delegations } = body as Delegations;
          if (delegations.length === 0) return <p className="quiet">No delegations</p>;
          return (
            <ul className="linked">
              {delegations.map(({ delegation, balance }) => (
                <li key={delegation.validator_address}>
                  <span>{coinText(balance)}</span>
                  <IdLink id={delegation.validator_address} isShort />
                </li>
              ))}
            </ul>
          );
        }}
      </Outcome>
    </section>
  );
}
