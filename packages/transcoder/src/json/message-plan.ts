import type { DescField, DescMessage, DescOneof, Registry } from '@bufbuild/protobuf';
import type { FormatOf } from '../fields/field-format.js';
import type { FieldMask } from '../fields/parse-field-mask.js';
import type { WireCursor } from '../wire/cursor.js';
import type { JsonPart } from '../wire/json-text.js';
import type { JsonProfile } from './profile.js';

/**
 * Writes the value between the cursor and `end` as JSON. Numbers determine their length and move the cursor past themselves; text,
 * bytes and messages take all bytes up to `end`.
 */
export type ValueWriter = (cursor: WireCursor, end: number, mask?: FieldMask) => void;

/** One field, compiled. */
export interface FieldPlan {
  readonly field: DescField;
  /** The place among the fields of the message, in the order they are written. */
  readonly index: number;
  readonly shape: 'one' | 'list' | 'map';
  /** `{"name":` and `,"name":`, as the first member of an object and as a later one. */
  readonly first: JsonPart;
  readonly next: JsonPart;
  /** The tag of one value. */
  readonly tag: number;
  /** The tag of many values in one; -1 when these cannot be packed. */
  readonly packedTag: number;
  readonly write: ValueWriter;
  /** The text of a value that counts as absent; `undefined` when every value that is sent counts. */
  readonly zero: JsonPart | undefined;
  /** The default of an absent field; `undefined` to omit it. */
  readonly absent: JsonPart | undefined;
  readonly oneof: DescOneof | undefined;
  /** The numbers of a closed enum: others count as unknown fields. */
  readonly known: ReadonlySet<number> | undefined;
  /** Key and value of a map's entries. */
  readonly entry: EntryPlan | undefined;
}

/** An entry of a map is a message of two fields. */
export interface EntryPlan extends FieldsPlan {
  readonly key: FieldPlan;
  readonly value: FieldPlan;
}

export interface FieldsPlan {
  readonly fields: readonly FieldPlan[];
  /** Every tag that a field may have. */
  readonly byTag: ReadonlyMap<number, FieldPlan>;
}

/** One message type, compiled. */
export interface MessagePlan extends FieldsPlan {
  readonly write: ValueWriter;
}

/** Shared by the plans of one profile. */
export interface PlanContext {
  readonly registry: Registry;
  readonly profile: JsonProfile;
  readonly formatOf: FormatOf;
  readonly planOf: (desc: DescMessage) => MessagePlan;
}
