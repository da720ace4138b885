import { useSettings } from '../../shell/settings.js';
import { Title } from '../../shell/title.js';
import { useAsked } from '../asking/use-asked.js';
import { Awaited } from '../parts/awaited.js';
import { Balance } from './balance.js';
import type { CreditAccount } from './credit-account.js';
import { OpenClaims } from './open-claims.js';
import { TopUp } from './top-up.js';

/** What the user has, what an answer takes, and what to do where nothing is left. */
export function CreditsView() {
  const { topUps } = useSettings();
  const asked = useAsked<CreditAccount>('/credits');
  return (
    <>
      <div>
        <Title>Credits</Title>
        <p className="lead">One credit is one token that the model reads or writes for you.</p>
      </div>
      <Awaited
        asked={asked}
        absent={
          <div className="stack tight-stack">
            <p>
              <strong>Answers are free here.</strong> This oracle does not count credits.
            </p>
            <p className="small">
              Its operator turns them on: <code>CREDITS=local</code> keeps balances, <code>SUBSCRIPTION_URL</code> asks
              who has subscribed.
            </p>
          </div>
        }
      >
        {(account) => (
          <>
            {account.balance === undefined ? (
              <p className="notice">A subscription says who is answered here. What you have used is billed there.</p>
            ) : (
              <Balance account={account} balance={account.balance} />
            )}
            <OpenClaims account={account} />
            {account.balance === undefined ? null : topUps ? (
              <TopUp did={account.did} onAdded={asked.askAgain} />
            ) : (
              <p className="quiet">
                Whoever runs this oracle adds to balances. Tell them your DID, which is at{' '}
                <a href="#/account/you">You</a>.
              </p>
            )}
          </>
        )}
      </Awaited>
    </>
  );
}
