import { useIdentity } from '../../chat/use-identity.js';
import { CopyButton } from '../../shell/copy-button.js';
import { Title } from '../../shell/title.js';
import { DataCard } from './data-card.js';
import { KeyCard } from './key-card.js';
import { PhoneCard } from './phone-card.js';

/** Who the user of this browser is. */
export function YouView() {
  const { did } = useIdentity();
  return (
    <>
      <div>
        <Title>You</Title>
        <p className="lead">There is no password: a key that this browser made says who you are.</p>
      </div>
      <section className="card stack" aria-labelledby="did-heading">
        <h2 id="did-heading">Your DID</h2>
        <p>The oracle, phones and programs know you by this id. It is public.</p>
        <p className="did">
          <code className="break" data-testid="did">
            {did}
          </code>
          <CopyButton text={did}>Copy</CopyButton>
        </p>
      </section>
      <PhoneCard />
      <KeyCard />
      <DataCard />
    </>
  );
}
