import { useSettings } from '../shell/settings.js';
import { Title } from '../shell/title.js';
import { HandsetView } from './handset-view.js';
import { HopLog } from './hop-log.js';
import { NumberPicker } from './number-picker.js';
import { useHandsets } from './use-handsets.js';
import './phone.css';

const numbers = ['+254712345678', '+260971230567', '+33612345678'] as const;

export function PhoneDoor() {
  const { handset, serviceCode } = useSettings();
  const handsets = useHandsets(numbers, serviceCode);
  return (
    <div className="stack">
      <div>
        <Title>A phone without internet</Title>
        <p className="lead">
          Dial the code, then answer with digits, or with words where a screen asks for them. Sign up, remember the
          Customer ID, log in.
        </p>
      </div>
      {handset ? (
        <div className="phone-door">
          <HandsetView handsets={handsets} />
          <div className="stack">
            <NumberPicker handsets={handsets} />
            <HopLog hops={handsets.current.hops} again={handsets.again} />
          </div>
        </div>
      ) : (
        <p className="notice">
          The handset is off here: whoever holds it can be any subscriber. The operator switches it on with{' '}
          <code>HANDSET=true</code>.
        </p>
      )}
    </div>
  );
}
