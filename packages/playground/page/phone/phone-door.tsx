import { Workbench } from '@mlango/ussd-workbench/workbench';
import { hrefOf } from '../shell/route.js';
import { useSettings } from '../shell/settings.js';
import { Title } from '../shell/title.js';
import '@mlango/ussd-workbench/workbench.css';

const numbers = ['+254712345678', '+260971230567', '+33612345678'] as const;

export function PhoneDoor() {
  const { handset, serviceCode } = useSettings();
  return (
    <div className="stack">
      <div>
        <Title>A phone without internet</Title>
        <p className="lead">
          Dial the code, then answer with digits, or with words where a screen asks for them. Sign up, remember the
          Customer ID, log in.
        </p>
        <p>
          <a href={hrefOf('phone', 'link')}>Read here what a phone asks the oracle</a>
        </p>
      </div>
      {handset ? (
        <Workbench gateway="/ussd" numbers={numbers} serviceCode={serviceCode} aggregators={['canonical']} />
      ) : (
        <p className="notice">
          The handset is off here: whoever holds it can be any subscriber. The operator switches it on with{' '}
          <code>HANDSET=true</code>.
        </p>
      )}
    </div>
  );
}
