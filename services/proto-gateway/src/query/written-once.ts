import type { Reply } from '@mlango/grpc-channel';
import type { ReplyOptions } from '@mlango/transcoder/reply-options';
import type { Route } from '../catalog/route-table.js';
import type { WholeAnswer } from './answer.js';

type Body = WholeAnswer['body'];

/**
 * Writes a reply that many wait for once: they are all answered in one go, and nobody else is meanwhile. Not for replies that
 * are kept, since the body lives as long as the reply does.
 *
 * @param isShared whether several wait for a reply; that of one caller need not be remembered
 */
export function writtenOnce(isShared: (reply: Reply) => boolean) {
  const bodies = new WeakMap<Reply, { readonly route: Route; readonly form: string; readonly body: Body }>();
  return (reply: Reply, route: Route, options: ReplyOptions, write: (bytes: Uint8Array) => Body): Body => {
    const { profile, mask, pretty } = options;
    if (mask !== undefined || pretty || !isShared(reply)) return write(reply.message);
    const form = `${profile.names} ${profile.defaults} ${profile.values}`;
    const known = bodies.get(reply);
    if (known?.route === route && known.form === form) return known.body;
    const body = write(reply.message);
    bodies.set(reply, { route, form, body });
    return body;
  };
}
