import type { UssdRequest } from '@mlango/schemas/ussd';
import type { KeyPress, TextMode } from '../engine/interpret-text.js';

/** One call of a telecom gateway, in the terms of sessions. */
export interface Hop extends UssdRequest {
  /** The id of the aggregator that it came by. */
  readonly aggregator: string;
  /** Given by gateways that send each input alone; without it the text is that of the whole session, or either. */
  readonly press?: KeyPress | undefined;
  /** When the call arrived, in ms since 1970: screens shown later the user cannot have answered with it. */
  readonly arrivedAtMs?: number;
  /** Given by gateways that are known to send text in one way, whatever is configured for others. */
  readonly textMode?: TextMode | undefined;
  /** The caller's network as the aggregator names it. */
  readonly network?: string | undefined;
}

/** The service code of a hop, if the hop begins a session. */
export function codeDialledBy({ serviceCode, press }: Hop): string {
  return press?.mayDial?.serviceCode ?? serviceCode;
}
