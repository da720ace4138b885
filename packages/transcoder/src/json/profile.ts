/** How a reply is spelled. */
export interface JsonProfile {
  /** Field names as declared in the proto, or in lowerCamelCase. */
  readonly names: 'proto' | 'camel';
  /** Whether fields at their default are written: `""`, `0`, `[]`, `{}`, and `null` for messages and bytes. */
  readonly defaults: 'emit' | 'omit';
  /** `wire` writes every value as protobuf does, without the format of its field. */
  readonly values?: 'wire';
}

/** The form for clients generated from the `.proto`: the JSON of protobuf itself. */
export const PROTOBUF_PROFILE: JsonProfile = { names: 'camel', defaults: 'omit', values: 'wire' };
