import { useUserPreferences } from '@mlango/oracle-client';
import { oracleAddress } from '../../chat/oracle-address.js';
import { useSettings } from '../../shell/settings.js';
import { Title } from '../../shell/title.js';
import { Awaited } from '../parts/awaited.js';
import { PreferencesForm } from './preferences-form.js';

/** How the user wants to be talked to. */
export function PreferencesView() {
  const { oracleDid } = useSettings();
  const { preferences, error, refetch, setPreferences } = useUserPreferences(oracleDid, oracleAddress);
  const asked = { reply: preferences, error, askAgain: () => void refetch() };
  return (
    <>
      <div>
        <Title>Preferences</Title>
        <p className="lead">
          How the oracle talks to you, from your next message on. In the chat, “Call me Alex” does the same.
        </p>
      </div>
      <Awaited asked={asked} absent="This oracle keeps no preferences: its plugin is off.">
        {(kept) => <PreferencesForm kept={kept} onSave={setPreferences} />}
      </Awaited>
    </>
  );
}
