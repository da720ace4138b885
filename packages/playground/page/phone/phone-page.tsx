import { Workbench } from '@mlango/ussd-workbench/workbench';
import { hrefOf } from '../shell/route.js';
import { useSettings } from '../shell/settings.js';
import { Title } from '../shell/title.js';
import '@mlango/ussd-workbench/workbench.css';

const numbers = ['+254712345678', '+260971230567', '+33612345678'] as const;

export function PhonePage() {
  const { handset, serviceCode } = useSettings();
  return (
    <div className="stack">
      <div>
        <Title>A phone without internet</Title>
        <p className="lead">
          Dial the code, then reply with digits, or with words where a screen expects them. Sign up, note your Customer
          ID, and log in.
        </p>
        <p>
          <a href={hrefOf('phone', 'link')}>Read a conversation of a phone here</a>
        </p>
      </div>
      {handset ? (
        <Workbench gateway="/ussd" numbers={numbers} serviceCode={serviceCode} aggregators={['canonical']} />
      ) : (
        <p className="notice">
          The handset is turned off here, because it can act as any subscriber. The operator turns it on with{' '}
          <code>HANDSET=true</code>.
        </p>
      )}
    </div>
  );
}
