import type { UssdRequest } from '@mlango/schemas/ussd';
import type { KeyPress, TextMode } from '../engine/input.js';

/** One request of an aggregator. */
export interface Hop extends UssdRequest {
  /** The aggregator and the tenant (`session-scope.ts`). */
  readonly aggregator: string;
  /** Set for aggregators that send each input separately; without it the text accumulates, or its format is detected. */
  readonly press?: KeyPress | undefined;
  /** Arrival of the request by the wall clock, in ms since 1970: the user had not seen screens that were shown later. */
  readonly arrivedAtMs: number;
  /** Set for aggregators with a fixed text format; it overrides the configured mode. */
  readonly textMode?: TextMode | undefined;
  /** Network of the caller, as named by the aggregator. */
  readonly network?: string | undefined;
}

/** The service code of a hop, if the hop begins a session. */
export function codeDialledBy({ serviceCode, press }: Hop): string {
  return press?.mayDial?.serviceCode ?? serviceCode;
}
