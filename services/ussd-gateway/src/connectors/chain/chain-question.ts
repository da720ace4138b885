import { ServiceError } from '@mlango/service-kit/errors';
import { z } from 'zod';
import type { ChainQuestion } from '../../engine/declarations.js';
import { jsonIn } from '../json-in.js';

/** A failure of the chain, or of the query gateway before it. */
export class ChainError extends ServiceError {}

/** The path of a question; undefined where a segment names nothing, or would name something above it. */
export function pathOf({ path }: Pick<ChainQuestion<unknown>, 'path'>): string | undefined {
  if (path.some((segment) => ['', '.', '..'].includes(segment) || /\p{Surrogate}/u.test(segment))) return undefined;
  return path.map((segment) => `/${encodeURIComponent(segment)}`).join('');
}

export interface ChainReply {
  readonly status: number;
  readonly text: string;
}

const failure = z.object({ message: z.string() });

/** So the gateway begins to say that it has no such path, which a user must not read as "not found". */
const noRoute = 'No route';

/** The answer in a reply, as `ChainReader` gives it. */
export function readReply<Answer>(reply: ChainReply, { answer, path }: ChainQuestion<Answer>): Answer | undefined {
  const { status } = reply;
  const json = jsonIn(reply.text);
  if (status === 200) {
    const read = answer.safeParse(json);
    if (read.success) return read.data;
    throw new ChainError('internal', `The chain's answer to ${path[0]} is not what was asked for`, {
      cause: read.error,
    });
  }
  const message = failure.safeParse(json).data?.message;
  if (status === 404 && message !== undefined && !message.startsWith(noRoute)) return undefined;
  // What the gateway says of itself holds no input of a user but for a path that it does not know.
  const said = message === undefined || status === 404 ? '' : `: ${message.slice(0, 200)}`;
  throw new ChainError('unavailable', `The query gateway answered ${status}${said}`);
}
