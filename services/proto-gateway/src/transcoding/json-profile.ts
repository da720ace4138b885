/** How a reply is spelled. */
export interface JsonProfile {
  /** Field names as declared in the proto, or in lowerCamelCase. */
  readonly names: 'proto' | 'camel';
  /** Whether fields at their default are written: `""`, `0`, `[]`, `{}`, and `null` for messages and bytes. */
  readonly defaults: 'emit' | 'omit';
  /** `wire` leaves a `LegacyDec` as it travels; it has its point otherwise. */
  readonly decimals?: 'wire';
}

/** What clients of Cosmos nodes expect. */
export const COSMOS_PROFILE: JsonProfile = { names: 'proto', defaults: 'emit' };

/** What clients made from the `.proto` read: the JSON of protobuf itself. */
export const PROTOBUF_PROFILE: JsonProfile = { names: 'camel', defaults: 'omit', decimals: 'wire' };
