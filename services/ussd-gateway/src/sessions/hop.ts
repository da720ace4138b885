import type { UssdRequest } from '@mlango/schemas/ussd';
import type { KeyPress, TextMode } from '../engine/input.js';

/** One request of an aggregator. */
export interface Hop extends UssdRequest {
  /** The aggregator and the tenant (`session-scope.ts`). */
  readonly aggregator: string;
  /** Set for aggregators that send each input alone; without it the text is that of the whole session, or either. */
  readonly press?: KeyPress | undefined;
  /** When the request arrived, by the wall clock, in ms since 1970: the user had not seen screens that were shown later. */
  readonly arrivedAtMs?: number;
  /** Set for aggregators that always send text in one way; it overrides the configured mode. */
  readonly textMode?: TextMode | undefined;
  /** The caller's network, as the aggregator names it. */
  readonly network?: string | undefined;
}

/** The service code of a hop, if the hop begins a session. */
export function codeDialledBy({ serviceCode, press }: Hop): string {
  return press?.mayDial?.serviceCode ?? serviceCode;
}
