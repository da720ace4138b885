import type { HttpRoute } from '../rules/http-route.js';
import type { JsonProfile } from './profile.js';
import type { ReplyOptions } from './reply-options.js';
import type { JsonWriters } from './writer.js';

/** A reply as JSON text. */
export interface ReplyWriter {
  (bytes: Uint8Array): string;
  /** See `JsonWriter`. */
  readonly body: (bytes: Uint8Array) => string | Buffer;
  readonly hasReplaced: () => boolean;
}

/** Returns the writer of a route's replies; the default one is made once per route. */
export function replyWriters(writersOf: (profile: JsonProfile) => JsonWriters, ownProfile: JsonProfile) {
  const usual = new WeakMap<HttpRoute, ReplyWriter>();

  return (route: HttpRoute, options: Partial<ReplyOptions> = {}): ReplyWriter => {
    const { profile = ownProfile, pretty = false, mask } = options;
    const isUsual = profile === ownProfile && !pretty && mask === undefined;
    const known = isUsual ? usual.get(route) : undefined;
    if (known !== undefined) return known;
    const write = writersOf(profile)(route.rpc.output);
    const shape = { responseBody: route.responseBody, mask };
    const text = (bytes: Uint8Array) => write(bytes, shape);
    const lines = (bytes: Uint8Array) => JSON.stringify(JSON.parse(text(bytes)), undefined, 2);
    const { hasReplaced } = write;
    if (pretty) return Object.assign(lines, { body: (bytes: Uint8Array) => Buffer.from(lines(bytes)), hasReplaced });
    const writer = Object.assign(text, { body: (bytes: Uint8Array) => write.body(bytes, shape), hasReplaced });
    if (isUsual) usual.set(route, writer);
    return writer;
  };
}
