import { useState } from 'react';
import { Title } from '../../shell/title.js';
import { useAskOracle } from '../asking/use-ask-oracle.js';
import { useAsked } from '../asking/use-asked.js';
import { useAttempt } from '../asking/use-attempt.js';
import { Awaited } from '../parts/awaited.js';
import { OutcomeLine } from '../parts/outcome-line.js';
import type { ApiKey, MadeApiKey, NewApiKey } from './api-key.js';
import { KeyList } from './key-list.js';
import { NewKeyForm } from './new-key-form.js';
import { ShownKey } from './shown-key.js';

/** Keys for scripts that cannot sign. */
export function KeysView() {
  const ask = useAskOracle();
  const asked = useAsked<{ readonly keys: readonly ApiKey[] }>('/api-keys');
  const [made, setMade] = useState<MadeApiKey>();
  const { outcome, isBusy, attempt } = useAttempt();

  const make = (wanted: NewApiKey) =>
    attempt(async () => {
      setMade(await ask<MadeApiKey>('/api-keys', 'POST', wanted));
      asked.askAgain();
      return `The key “${wanted.name}” is made.`;
    });

  const revoke = ({ id, name }: ApiKey) =>
    attempt(async () => {
      await ask(`/api-keys/${encodeURIComponent(id)}`, 'DELETE');
      if (made?.id === id) setMade(undefined);
      asked.askAgain();
      return `The key “${name}” is revoked: the next request that shows it is refused.`;
    });

  return (
    <>
      <div>
        <Title>API keys</Title>
        <p className="lead">For scripts and programs that act for you, with the permissions you give each of them.</p>
      </div>
      <Awaited
        asked={asked}
        absent={
          <>
            API keys are turned off here. The operator turns them on with <code>API_KEYS=on</code>.
          </>
        }
      >
        {({ keys }) => (
          <>
            {made === undefined ? null : <ShownKey made={made} onDone={() => setMade(undefined)} />}
            <OutcomeLine outcome={outcome} />
            <NewKeyForm isBusy={isBusy} onMake={make} />
            <KeyList keys={keys} isBusy={isBusy} onRevoke={(key) => void revoke(key)} />
          </>
        )}
      </Awaited>
    </>
  );
}
