import type { CreditAccount } from './credit-account.js';

interface BalanceProps {
  readonly account: CreditAccount;
  readonly balance: number;
}

const said = (tokens: number): string => tokens.toLocaleString('en');

/** What is there, and what of it is spoken for. */
export function Balance({ account: { held = 0, owed, turnTokens }, balance }: BalanceProps) {
  const left = Math.max(0, balance - held - owed);
  return (
    <section className="card stack" aria-labelledby="balance-heading">
      <h2 id="balance-heading">Your balance</h2>
      <p className="amount" data-testid="credits-left">
        {said(left)} <span className="quiet">credits left</span>
      </p>
      <dl className="figures">
        <div>
          <dt>Balance</dt>
          <dd>{said(balance)}</dd>
        </div>
        <div>
          <dt>Used, to be settled</dt>
          <dd>{said(owed)}</dd>
        </div>
        <div>
          <dt>Reserved for answers in progress</dt>
          <dd>{said(held)}</dd>
        </div>
      </dl>
      {turnTokens === undefined ? null : (
        <p className="quiet small">
          An answer takes what it reads and writes, tools and the conversation before it included, and never more than{' '}
          {said(turnTokens)}. So much is held while it is under way; what it did not use comes back. The developer panel
          of the chat shows what each took.
        </p>
      )}
    </section>
  );
}
