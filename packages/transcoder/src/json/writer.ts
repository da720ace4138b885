import type { DescMessage, Registry } from '@bufbuild/protobuf';
import type { FormatOf } from '../fields/field-format.js';
import type { FieldMask } from '../fields/parse-field-mask.js';
import { WireCursor } from '../wire/cursor.js';
import { JsonText } from '../wire/json-text.js';
import { compileMessage } from './compile-message.js';
import type { MessagePlan } from './message-plan.js';
import type { JsonProfile } from './profile.js';
import { writeField } from './write-any-order.js';

export interface ReplyShape {
  /** Only this field of the reply is written; `''` for the whole reply. */
  readonly responseBody?: string;
  readonly mask?: FieldMask | undefined;
}

/** Turns the bytes of one kind of message into JSON text. Throws on bytes that are not such a message. */
export interface JsonWriter {
  (bytes: Uint8Array, shape?: ReplyShape): string;
  /** The text as a body: a string, or for long texts UTF-8 bytes, without an intermediate string. */
  readonly body: (bytes: Uint8Array, shape?: ReplyShape) => string | Buffer;
  /** Whether the last write replaced invalid UTF-8 by U+FFFD. */
  readonly hasReplaced: () => boolean;
}

/** The handling of invalid UTF-8 in a string of a message: U+FFFD, or an error. */
export type InvalidUtf8 = 'replace' | 'reject';

/** Returns the writer of a message type. Writers are compiled on first use and cached. */
export type JsonWriters = (message: DescMessage) => JsonWriter;

/**
 * Writers from wire format to JSON text, without intermediate objects.
 *
 * @param registry the types in google.protobuf.Any
 * @param formatOf formats of fields; not called for a profile with wire values
 */
export function createJsonWriters(
  registry: Registry,
  profile: JsonProfile,
  formatOf: FormatOf = () => undefined,
  invalidUtf8: InvalidUtf8 = 'reject',
): JsonWriters {
  const context = { registry, profile, formatOf: profile.values === 'wire' ? () => undefined : formatOf };
  const plans = new Map<DescMessage, MessagePlan>();
  const planOf = (desc: DescMessage): MessagePlan => {
    let plan = plans.get(desc);
    if (plan === undefined) {
      plan = compileMessage(desc, { ...context, planOf });
      plans.set(desc, plan);
    }
    return plan;
  };
  // One text is written after the other, so that they share its room.
  const out = new JsonText(invalidUtf8 === 'replace');
  return (desc) => {
    const plan = planOf(desc);
    const write = (bytes: Uint8Array, { responseBody = '', mask }: ReplyShape = {}): JsonText => {
      out.clear();
      if (responseBody !== '') writeOneField(plan, bytes, out, responseBody, mask);
      else {
        const cursor = new WireCursor(bytes, out);
        plan.write(cursor, bytes.length, mask);
        if (!cursor.isOrdered) {
          out.clear();
          plan.write(new WireCursor(bytes, out, false), bytes.length, mask);
        }
      }
      return out;
    };
    const text = (bytes: Uint8Array, shape?: ReplyShape) => write(bytes, shape).take();
    const body = (bytes: Uint8Array, shape?: ReplyShape) => write(bytes, shape).takeBody();
    return Object.assign(text, { body, hasReplaced: () => out.hasReplaced });
  };
}

/** The writers of each profile, compiled on first use. Those of the default profile exist from the start. */
export function writersByProfile(
  registry: Registry,
  formatOf: FormatOf,
  usual: JsonProfile,
  invalidUtf8?: InvalidUtf8,
): (profile: JsonProfile) => JsonWriters {
  const ofUsual = createJsonWriters(registry, usual, formatOf, invalidUtf8);
  const known = new Map<string, JsonWriters>();
  return (profile) => {
    if (profile === usual) return ofUsual;
    const key = `${profile.names} ${profile.defaults} ${profile.values}`;
    const writers = known.get(key) ?? createJsonWriters(registry, profile, formatOf, invalidUtf8);
    known.set(key, writers);
    return writers;
  };
}

function writeOneField(
  plan: MessagePlan,
  bytes: Uint8Array,
  out: JsonText,
  name: string,
  mask: FieldMask | undefined,
): void {
  writeField(plan, name, new WireCursor(bytes, out, false), bytes.length, mask);
  if (out.length === 0) out.ascii('null');
}
