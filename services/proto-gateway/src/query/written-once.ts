import type { Reply } from '@mlango/grpc-channel';
import type { ReplyOptions } from '@mlango/transcoder/reply-options';
import type { Route } from '../catalog/route-table.js';

/**
 * Writes a reply that many wait for once: they are all answered in one go, and nobody else is meanwhile. Not for replies that
 * are kept, since the text lives as long as the reply does.
 *
 * @param isShared whether several wait for a reply; that of one caller need not be remembered
 */
export function writtenOnce(isShared: (reply: Reply) => boolean) {
  const texts = new WeakMap<Reply, { readonly route: Route; readonly form: string; readonly text: string }>();
  return (reply: Reply, route: Route, options: ReplyOptions, write: (bytes: Uint8Array) => string): string => {
    const { profile, mask, pretty } = options;
    if (mask !== undefined || pretty || !isShared(reply)) return write(reply.message);
    const form = `${profile.names} ${profile.defaults} ${profile.values}`;
    const known = texts.get(reply);
    if (known?.route === route && known.form === form) return known.text;
    const text = write(reply.message);
    texts.set(reply, { route, form, text });
    return text;
  };
}
