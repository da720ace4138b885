import { OracleRequestError } from '@mlango/oracle-client';
import { useState } from 'react';
import { useAskOracle } from '../asking/use-ask-oracle.js';
import { useAttempt } from '../asking/use-attempt.js';
import { OutcomeLine } from '../parts/outcome-line.js';

const amounts = [10_000, 100_000, 1_000_000];

interface TopUpProps {
  readonly did: string;
  readonly onAdded: () => void;
}

/** In development anybody is the one who takes the money. */
export function TopUp({ did, onAdded }: TopUpProps) {
  const ask = useAskOracle();
  const [tokens, setTokens] = useState(100_000);
  const { outcome, isBusy, attempt } = useAttempt();

  const add = () =>
    attempt(async () => {
      const topUpId = crypto.randomUUID();
      const { balance } = await ask<{ balance: number }>('/credits/top-ups', 'POST', { topUpId, did, tokens }).catch(
        (error: unknown) => {
          const isRefused = error instanceof OracleRequestError && [401, 403].includes(error.statusCode);
          throw isRefused ? new Error('Only operators can top up here. Ask the operator of this oracle.') : error;
        },
      );
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
