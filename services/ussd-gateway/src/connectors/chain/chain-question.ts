import { ServiceError } from '@mlango/service-kit/errors';
import { parseJson, withoutByteOrderMark } from '@mlango/service-kit/parse-json';
import { z } from 'zod';
import type { ChainQuestion } from '../../engine/declarations.js';

/** A failure of the chain or of the query gateway. */
export class ChainError extends ServiceError {}

/** Path of a query; undefined if a segment is empty, invalid, or would refer to a parent path. */
export function pathOf({ path }: Pick<ChainQuestion<unknown>, 'path'>): string | undefined {
  if (path.some((segment) => ['', '.', '..'].includes(segment) || /\p{Surrogate}/u.test(segment))) return undefined;
  return path.map((segment) => `/${encodeURIComponent(segment)}`).join('');
}

export interface ChainReply {
  readonly status: number;
  readonly text: string;
}

const failure = z.object({ message: z.string() });

/** Start of the gateway's message for an unknown path, which must not be shown as "not found". */
const noRoute = 'No route';

/** Parses a reply as `ChainReader` returns it. */
export function readReply<Answer>(reply: ChainReply, { answer, path }: ChainQuestion<Answer>): Answer | undefined {
  const { status } = reply;
  const json = parseJson(withoutByteOrderMark(reply.text));
  if (status === 200) {
    const read = answer.safeParse(json);
    if (read.success) return read.data;
    throw new ChainError('internal', `The chain's answer to ${path[0]} does not match the request`, {
      cause: read.error,
    });
  }
  const message = failure.safeParse(json).data?.message;
  if (status === 404 && message !== undefined && !message.startsWith(noRoute)) return undefined;
  // Messages of the gateway contain no user input, except for an unknown path.
  const detail = message === undefined || status === 404 ? '' : `: ${message.slice(0, 200)}`;
  throw new ChainError('unavailable', `The query gateway answered ${status}${detail}`);
}
