import type { ReplyOptions } from '@mlango/transcoder/reply-options';
import type { NodeReply } from '../nodes/chain-node.js';
import { NODE_HEADER } from './answer.js';

/** The index of a node in the configured targets, by its target. */
export type NodeIndexOf = (target: string) => number | undefined;

const NONE: Readonly<Record<string, string>> = {};

/** `Warning` naming parameters without effect and unknown fields. */
export function describeIgnored(ignored: readonly string[], options: ReplyOptions): Readonly<Record<string, string>> {
  if (ignored.length === 0 && options.unknownFields.length === 0) return NONE;
  const warnings = [
    ...(ignored.length === 0 ? [] : [`299 - "ignored query parameters: ${listNames(ignored)}"`]),
    ...(options.unknownFields.length === 0 ? [] : [`299 - "no such fields: ${listNames(options.unknownFields)}"`]),
  ];
  return { warning: warnings.join(', ') };
}

/** `Warning` that a reply had bytes that are not UTF-8, in addition to existing warnings. */
export function withReplaced(warning: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { warning: others } = warning;
  return { ...warning, warning: others === undefined ? REPLACED : `${others}, ${REPLACED}` };
}

const REPLACED = '299 - "bytes that are not UTF-8 were replaced by U+FFFD"';

/** Names are escaped, so that none can break out of a header. */
function listNames(names: readonly string[]): string {
  return names
    .slice(0, 20)
    .map((name) => encodeURIComponent(Array.from(name.slice(0, 120)).slice(0, 60).join('')))
    .join(', ');
}

/** `X-Node` of a reply; empty unless nodes are exposed. A reply from another replica counts as cached. */
export function nodeHeader({ source, target }: NodeReply, exposeNode: NodeIndexOf | undefined) {
  if (exposeNode === undefined) return NONE;
  const index = target === undefined ? undefined : exposeNode(target);
  const node = source === undefined ? index?.toString() : 'cache';
  return node === undefined ? NONE : { [NODE_HEADER]: node };
}
