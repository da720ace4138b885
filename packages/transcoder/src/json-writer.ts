import type { DescMessage, Registry } from '@bufbuild/protobuf';
import { compileMessage } from './compile-message.js';
import type { FormatOf } from './field-format.js';
import type { FieldMask } from './field-mask.js';
import type { JsonProfile } from './json-profile.js';
import { JsonText } from './json-text.js';
import type { MessagePlan } from './message-plan.js';
import { readOneField } from './read-collected.js';
import { WireCursor } from './wire-cursor.js';

export interface ReplyShape {
  /** Only this field of the reply is written; `''` for the whole reply. */
  readonly responseBody?: string;
  readonly mask?: FieldMask | undefined;
}

/** Turns the bytes of one kind of message into JSON text. Throws on bytes that are not such a message. */
export interface JsonWriter {
  (bytes: Uint8Array, shape?: ReplyShape): string;
  /** The text as a body is sent best: as it is, or a long one as the bytes of its UTF-8, of which no text is made first. */
  readonly body: (bytes: Uint8Array, shape?: ReplyShape) => string | Buffer;
  /** Whether bytes that are not UTF-8 were replaced by U+FFFD in what was written last. */
  readonly hasReplaced: () => boolean;
}

/** What becomes of bytes that are not UTF-8 in a string of a message: U+FFFD, or an error. */
export type InvalidUtf8 = 'replace' | 'reject';

/** Gives the writer of a message type. Writers are compiled once, when they are first used, and kept. */
export type JsonWriters = (message: DescMessage) => JsonWriter;

/**
 * Writers that go from the wire to JSON text without an object between.
 *
 * @param registry knows the types that may be inside a google.protobuf.Any
 * @param formatOf told of fields that have a format of their own; a profile with the values of the wire has none
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
        plan.read(cursor, bytes.length, mask);
        if (!cursor.isOrdered) {
          out.clear();
          plan.read(new WireCursor(bytes, out, false), bytes.length, mask);
        }
      }
      return out;
    };
    const text = (bytes: Uint8Array, shape?: ReplyShape) => write(bytes, shape).take();
    const body = (bytes: Uint8Array, shape?: ReplyShape) => write(bytes, shape).takeBody();
    return Object.assign(text, { body, hasReplaced: () => out.hasReplaced });
  };
}

/** The writers of each profile, made when it is first asked for. Those of the usual one, as that very object, are there at once. */
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
  readOneField(plan, name, new WireCursor(bytes, out, false), bytes.length, mask);
  if (out.length === 0) out.ascii('null');
}
