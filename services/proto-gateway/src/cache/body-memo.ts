import type { ReplyWriter } from '@mlango/transcoder';
import type { ReplyOptions } from '@mlango/transcoder/reply-options';
import type { Route } from '../catalog/routes.js';
import type { NodeReply, WrittenBody } from '../nodes/chain-node.js';

export function writeBody(write: ReplyWriter, bytes: Uint8Array): WrittenBody {
  return { body: write.body(bytes), hasReplaced: write.hasReplaced() };
}

/**
 * Writes the body of a reply. A reply that single flight gave to several callers carries its written bodies, so that equal
 * requests of one moment are written once.
 */
export function writeOnce(reply: NodeReply, route: Route, options: ReplyOptions, write: ReplyWriter): WrittenBody {
  const { profile, mask, pretty } = options;
  if (mask !== undefined || pretty || reply.bodies === undefined) return writeBody(write, reply.message);
  const { names, defaults, values } = profile;
  const form = `${route.rpcName} ${route.responseBody} ${names} ${defaults} ${values}`;
  let written = reply.bodies.get(form);
  if (written === undefined) {
    written = writeBody(write, reply.message);
    reply.bodies.set(form, written);
  }
  return written;
}
