import type { UserPreferencesRecord } from '@mlango/schemas/oracle-preferences';
import { Title } from '../../shell/title.js';
import { useAsked } from '../asking/use-asked.js';
import { Awaited } from '../parts/awaited.js';
import { PreferencesForm } from './preferences-form.js';

/** How the user wants to be talked to. */
export function PreferencesView() {
  const asked = useAsked<UserPreferencesRecord | null>('/user-preferences');
  return (
    <>
      <div>
        <Title>Preferences</Title>
        <p className="lead">
          How the oracle talks to you, from your next message on. In the chat, “Call me Alex” does the same.
        </p>
      </div>
      <Awaited asked={asked} absent="This oracle keeps no preferences: its plugin is off.">
        {(kept) => <PreferencesForm kept={kept ?? {}} />}
      </Awaited>
    </>
  );
}
