import { Oracle, type OracleProps, type Suggestion } from '@mlango/oracle-client/ui';
import { hrefOf } from '../shell/route.js';
import { useSettings } from '../shell/settings.js';
import { uiComponents } from './cards.js';
import { oracleAddress } from './oracle-address.js';
import { pageTools } from './page-tools.js';
import { PinnedNotes } from './pinned-notes.js';

/** Links from a refused message to the payment page; the message stays, with Retry. */
function WayToPay() {
  return (
    <p>
      <a href={hrefOf('account', 'credits')}>See your credits and top up</a>
    </p>
  );
}

/** Suggestions that show the features of the chat. */
const suggestions: readonly Suggestion[] = [
  { text: 'What can you do?', shows: 'a streamed answer' },
  { text: 'Count to 400', shows: 'a long answer: cut the network meanwhile' },
  { text: 'Look up entity did:ixo:entity:e0001', shows: 'a tool, and a card with its result' },
  { text: 'Set the theme to dark', shows: 'a tool that runs in this tab' },
  { text: 'Pin note "water the mangoes"', shows: 'an action in this page' },
  { text: 'Remember that my goat is called Zuri', shows: 'a memory that is stored for later conversations' },
];

/** The chat with the oracle of this deployment, with this page's additions: tools of the tab, cards, and pinned notes. */
export function OracleChat(props: Pick<OracleProps, 'sessionId' | 'onSessionChange' | 'hasSessions'>) {
  const { oracleDid } = useSettings();
  const lent = { browserTools: pageTools, uiComponents, suggestions, payment: <WayToPay /> };
  return (
    <Oracle oracleDid={oracleDid} overrides={oracleAddress} {...lent} {...props}>
      <PinnedNotes />
    </Oracle>
  );
}
