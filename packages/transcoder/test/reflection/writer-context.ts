import type { Registry } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import type { FormatOf } from '../../src/fields/field-format.js';
import type { FieldMask } from '../../src/fields/parse-field-mask.js';
import type { JsonProfile } from '../../src/json/profile.js';

/** Shared state of the parts of the reflecting writer. */
export interface WriterContext {
  readonly registry: Registry;
  readonly profile: JsonProfile;
  readonly formatOf: FormatOf;
  readonly writeMessage: (message: ReflectMessage, mask?: FieldMask) => string;
  /** The members of a message's object, each as `"name":value`. */
  readonly writeFields: (message: ReflectMessage, mask?: FieldMask) => string[];
}
