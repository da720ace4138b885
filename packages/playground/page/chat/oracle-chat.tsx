import { Oracle, type OracleProps } from '@mlango/oracle-client/ui';
import { useSettings } from '../shell/settings.js';
import { oracleAddress } from './oracle-address.js';
import { suggestions } from './suggestions.js';
import { pageTools } from './tools/page-tools.js';
import { PinnedNotes } from './tools/pinned-notes.js';
import { uiComponents } from './tools/ui-components.js';
import { WayToPay } from './way-to-pay.js';

/** The chat with the oracle of this deployment, with what this page lends it: tools of the tab, cards, and pinned notes. */
export function OracleChat(props: Pick<OracleProps, 'sessionId' | 'onSessionChange' | 'hasSessions'>) {
  const { oracleDid } = useSettings();
  const lent = { browserTools: pageTools, uiComponents, suggestions, payment: <WayToPay /> };
  return (
    <Oracle oracleDid={oracleDid} overrides={oracleAddress} {...lent} {...props}>
      <PinnedNotes />
    </Oracle>
  );
}
