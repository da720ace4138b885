/** How a reply is spelled. */
export interface JsonProfile {
  /** Field names as declared in the proto, or in lowerCamelCase. */
  readonly names: 'proto' | 'camel';
  /** Whether fields at their default are written: `""`, `0`, `[]`, `{}`, and `null` for messages and bytes. */
  readonly defaults: 'emit' | 'omit';
}

/** What clients of Cosmos nodes expect. */
export const COSMOS_PROFILE: JsonProfile = { names: 'proto', defaults: 'emit' };
