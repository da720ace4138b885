import type { DescField, Registry } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import type { FieldMask } from './field-mask.js';

/** How a reply is spelled. */
export interface JsonProfile {
  /** Field names as declared in the proto, or in lowerCamelCase. */
  readonly names: 'proto' | 'camel';
  /** Whether fields at their default are written: `""`, `0`, `[]`, `{}`, and `null` for messages and bytes. */
  readonly defaults: 'emit' | 'omit';
}

/** What clients of Cosmos nodes expect. */
export const COSMOS_PROFILE: JsonProfile = { names: 'proto', defaults: 'emit' };

/** What the parts of a writer share. */
export interface WriterContext {
  readonly registry: Registry;
  readonly profile: JsonProfile;
  readonly isDecimal: (field: DescField) => boolean;
  readonly writeMessage: (message: ReflectMessage, mask?: FieldMask) => string;
  /** The members of a message's object, each as `"name":value`. */
  readonly writeFields: (message: ReflectMessage, mask?: FieldMask) => string[];
}
