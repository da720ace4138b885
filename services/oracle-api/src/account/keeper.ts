import type { ForgottenRows, OwnRow } from '../plugins/api/own-rows.js';

/** Whoever keeps something of users beside the oracle itself: a plugin. */
export interface Keeper {
  readonly name: string;
  export(ownerDid: string): AsyncIterable<OwnRow>;
  /** May be asked again. */
  forget(ownerDid: string): Promise<ForgottenRows>;
}
