import type { EffectOutcome } from '../engine/enter.js';
import type { Facts } from '../engine/flow.js';
import type { Query } from '../engine/query.js';

/** One effect of one hop. */
export interface EffectRequest {
  readonly effect: string;
  /** The query of that name, where the flow that the session is on brings one along. */
  readonly query?: Query | undefined;
  /** The same for every try of the same hop, and for no other hop: an effect with a key that was seen is not repeated. */
  readonly key: string;
  /** E.164. */
  readonly phoneNumber: string;
  readonly language: string;
  /** The customer id of a subscriber who is logged in. */
  readonly account: string | undefined;
  /** What was typed or found out before, by name. */
  readonly entries: Facts;
  /** What the key itself says. */
  readonly with: Facts;
  /** What was typed on a screen that asks for a secret. Never to be kept, logged or told. */
  readonly secret: string | undefined;
}

/** What a dialogue can do outside of itself. */
export interface HopEffects {
  /**
   * Has an effect, once per key however often and from wherever it is asked for.
   *
   * @throws whatever its back end rejects with. The effect may then have happened; asking again with the key tells.
   */
  run(request: EffectRequest): Promise<EffectOutcome>;
  /** The language a subscriber chose. Soon, and without a rejection: undefined also when nobody can say. */
  languageOf(phoneNumber: string): Promise<string | undefined>;
}
