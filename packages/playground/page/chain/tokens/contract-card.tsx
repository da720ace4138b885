import { ChainLink } from '../here/chain-link.js';
import { Facts } from '../parts/facts.js';
import { IdLink } from '../parts/id-link.js';
import { shortId } from '../parts/words.js';

interface Movement {
  readonly id: string;
  readonly amount: string;
  readonly reason: string;
}

/** What the view reads of a token contract. */
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

export function ContractCard({ contract }: { readonly contract: TokenContract }) {
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
