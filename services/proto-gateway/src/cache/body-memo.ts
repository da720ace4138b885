import type { Reply } from '@mlango/grpc-channel';
import type { ReplyWriter } from '@mlango/transcoder';
import type { ReplyOptions } from '@mlango/transcoder/reply-options';
import type { Route } from '../catalog/routes.js';
import type { WholeAnswer } from '../query/answer.js';

type Body = WholeAnswer['body'];

/** A body, and whether bytes that are not UTF-8 were replaced in it. */
export interface WrittenBody {
  readonly body: Body;
  readonly hasReplaced: boolean;
}

export function writeBody(write: ReplyWriter, bytes: Uint8Array): WrittenBody {
  return { body: write.body(bytes), hasReplaced: write.hasReplaced() };
}

/**
 * Writes a reply that many wait for once: they are all answered in one go, and nobody else is meanwhile. Not for replies that
 * are kept, since the body lives as long as the reply does.
 *
 * @param isShared whether several wait for a reply; that of one caller need not be remembered
 */
export function bodyMemo(isShared: (reply: Reply) => boolean) {
  const bodies = new WeakMap<Reply, { readonly route: Route; readonly form: string; readonly written: WrittenBody }>();
  return (reply: Reply, route: Route, options: ReplyOptions, write: ReplyWriter): WrittenBody => {
    const { profile, mask, pretty } = options;
    if (mask !== undefined || pretty || !isShared(reply)) return writeBody(write, reply.message);
    const form = `${profile.names} ${profile.defaults} ${profile.values}`;
    const known = bodies.get(reply);
    if (known?.route === route && known.form === form) return known.written;
    const written = writeBody(write, reply.message);
    bodies.set(reply, { route, form, written });
    return written;
  };
}
