import { OracleRequestError } from '@mlango/oracle-client';
import type { creditAccount } from '@mlango/schemas/oracle-credits';
import { useState } from 'react';
import type { z } from 'zod';
import { useSettings } from '../shell/settings.js';
import { Title } from '../shell/title.js';
import { useAttempt, useOracleQuery, useOracleRequest } from './oracle-requests.js';
import { Loaded, OutcomeLine } from './parts.js';

/** The credits of a user, in tokens. */
export type CreditAccount = z.output<typeof creditAccount>;

interface BalanceProps {
  readonly account: CreditAccount;
  readonly balance: number;
}

const formatTokens = (tokens: number): string => tokens.toLocaleString('en');

/** The balance and the reserved part of it. */
function Balance({ account: { held = 0, owed, turnTokens }, balance }: BalanceProps) {
  const left = Math.max(0, balance - held - owed);
  return (
    <section className="card stack" aria-labelledby="balance-heading">
      <h2 id="balance-heading">Your balance</h2>
      <p className="amount" data-testid="credits-left">
        {formatTokens(left)} <span className="quiet">credits left</span>
      </p>
      <dl className="figures">
        <div>
          <dt>Balance</dt>
          <dd>{formatTokens(balance)}</dd>
        </div>
        <div>
          <dt>Used, to be settled</dt>
          <dd>{formatTokens(owed)}</dd>
        </div>
        <div>
          <dt>Reserved for answers in progress</dt>
          <dd>{formatTokens(held)}</dd>
        </div>
      </dl>
      {turnTokens === undefined ? null : (
        <p className="quiet small">
          An answer takes what it reads and writes, tools and the conversation before it included, and never more than{' '}
          {formatTokens(turnTokens)}. So much is held while it is under way; what it did not use comes back. The
          developer panel of the chat shows what each took.
        </p>
      )}
    </section>
  );
}

/** Open claims: the ones that a 402 response names. */
function OpenClaims({ account: { claims, owed } }: { readonly account: CreditAccount }) {
  return (
    <section className="stack" aria-labelledby="claims-heading">
      <h2 id="claims-heading">To be settled</h2>
      {claims.length === 0 ? (
        <p className="empty">Nothing to settle</p>
      ) : (
        <>
          <p>
            {claims.length} {claims.length === 1 ? 'claim' : 'claims'}
            {owed === 0 ? '' : ` over ${owed.toLocaleString('en')} credits`}. A claim is what one answer took, or the
            request for a first payment. They are settled from the balance, the oldest first.
          </p>
          <details>
            <summary>Their ids</summary>
            <ul className="claims">
              {claims.map((claim) => (
                <li key={claim}>
                  <code className="break">{claim}</code>
                </li>
              ))}
            </ul>
          </details>
        </>
      )}
      <p className="quiet small">
        A message that cannot be paid for is refused (402) before any of it is stored, and names these claims. Once
        there is a balance, press Retry.
      </p>
    </section>
  );
}

const amounts = [10_000, 100_000, 1_000_000];

interface TopUpProps {
  readonly did: string;
  readonly onAdded: () => void;
}

/** In development every user is an operator. */
function TopUp({ did, onAdded }: TopUpProps) {
  const request = useOracleRequest();
  const [tokens, setTokens] = useState(100_000);
  const { outcome, isBusy, attempt } = useAttempt();

  const add = () =>
    attempt(async () => {
      const topUpId = crypto.randomUUID();
      const { balance } = await request<{ balance: number }>('/credits/top-ups', 'POST', {
        topUpId,
        did,
        tokens,
      }).catch((error: unknown) => {
        const isRefused = error instanceof OracleRequestError && [401, 403].includes(error.statusCode);
        throw isRefused ? new Error('Only operators can top up here. Contact the operator of this oracle.') : error;
      });
      onAdded();
      return `Added. Your balance is ${balance.toLocaleString('en')}.`;
    });

  return (
    <section className="card stack" aria-labelledby="top-up-heading">
      <div className="row spread">
        <h2 id="top-up-heading">Top up</h2>
        <span className="badge">Development: no money moves</span>
      </div>
      <fieldset className="choices">
        <legend className="unseen">How much</legend>
        {amounts.map((amount) => (
          <label key={amount}>
            <input type="radio" name="amount" checked={tokens === amount} onChange={() => setTokens(amount)} />
            <span>{amount.toLocaleString('en')}</span>
          </label>
        ))}
      </fieldset>
      <div className="row">
        <button type="button" className="primary" disabled={isBusy} onClick={() => void add()}>
          Add {tokens.toLocaleString('en')} credits
        </button>
        <a href="#/chat">Back to the chat</a>
      </div>
      <OutcomeLine outcome={outcome} />
    </section>
  );
}

/** The user's balance, the cost of an answer, and ways to pay. */
export function CreditsView() {
  const { topUps } = useSettings();
  const query = useOracleQuery<CreditAccount>('/credits');
  return (
    <>
      <div>
        <Title>Credits</Title>
        <p className="lead">One credit is one token that the model reads or writes for you.</p>
      </div>
      <Loaded
        query={query}
        absent={
          <div className="stack tight-stack">
            <p>
              <strong>Answers are free here.</strong> This oracle does not count credits.
            </p>
            <p className="small">
              Its operator turns them on: <code>CREDITS=local</code> keeps balances, <code>SUBSCRIPTION_URL</code> reads
              subscriptions.
            </p>
          </div>
        }
      >
        {(account) => (
          <>
            {account.balance === undefined ? (
              <p className="notice">Answers here need a subscription, which bills what you use.</p>
            ) : (
              <Balance account={account} balance={account.balance} />
            )}
            <OpenClaims account={account} />
            {account.balance === undefined ? null : topUps ? (
              <TopUp did={account.did} onAdded={query.retry} />
            ) : (
              <p className="quiet">
                The operator of this oracle adds to balances. Send them your DID, which is at{' '}
                <a href="#/account/you">You</a>.
              </p>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
