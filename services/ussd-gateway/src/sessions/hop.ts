import type { UssdRequest } from '@mlango/schemas/ussd';
import type { TextMode } from '../engine/interpret-text.js';

/** One call of a telecom gateway, in the terms of sessions. */
export interface Hop extends UssdRequest {
  /** The id of the aggregator that it came by. */
  readonly aggregator: string;
  /** Given by gateways that send each input alone; without it the text is that of the whole session, or either. */
  readonly press?: KeyPress;
  /** When the call arrived, in ms since 1970: screens shown later the user cannot have answered with it. */
  readonly arrivedMs?: number;
  /** Given by gateways that are known to send text in one way, whatever is configured for others. */
  readonly textMode?: TextMode;
}

/**
 * What tells one press of a key from another where the text cannot: a user may type `1` twice in a row, and a gateway
 * may deliver one `1` twice.
 */
export interface KeyPress {
  /** Whether the gateway says that this begins a session. The text is then empty, or what was dialled beyond the code. */
  readonly dials: boolean;
  /** Given where the gateway does not say what begins a session: an input of one nobody knows then does. */
  readonly mayDial?: boolean;
  /** The gateway's own number of this input within its session, if it counts them: the same again is a retry. */
  readonly delivery?: string;
}
