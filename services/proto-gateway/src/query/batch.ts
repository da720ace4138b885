import { HEIGHT_HEADER, isHeight, takeHeight } from '@mlango/cosmos-rest/heights';
import { parseQuery } from '@mlango/transcoder/bind-query';
import { errorReply, GRPC_CODES } from '@mlango/transcoder/grpc-status';
import type { HeaderPairs } from '@mlango/transcoder/metadata';
import type { Violation } from '@mlango/transcoder/violation';
import { type Answer, bytesOf, isWhole, NODE_HEADER } from '../answers/answer.js';
import type { RouteTable } from '../catalog/routes.js';
import { requestedHeight } from '../nodes/chain-node.js';
import { onlyHeader } from './read-call.js';
import type { YieldForBytes } from './yield-to-event-loop.js';

/** Answers one path, at a height or at the latest one, within a time in ms. */
export type AnswerPath = (path: string, height: string | undefined, timeoutMs: number) => Promise<Answer>;

export interface BatchRules {
  /** Paths answered at the same time. */
  readonly concurrency: number;
  /** Total size of the bodies; answers beyond it get code 8. */
  readonly limitBytes: number;
  /** Time for the whole batch; paths that start later get code 4. */
  readonly timeoutMs: number;
  readonly yieldFor: YieldForBytes;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** The parts of a batch that can request a height. */
export interface BatchHeights {
  readonly headers: HeaderPairs;
  /** The height in the body. */
  readonly height?: string | undefined;
  readonly paths: readonly string[];
}

/**
 * The requested height of a batch, without leading zeros: that of the body, else of the header, else of the first path with a height.
 * `undefined` for the latest height, also written 0: then the first answer sets the height, in `answerBatch`.
 */
export function batchHeight(
  { headers, height, paths }: BatchHeights,
  table: Pick<RouteTable, 'transcoder'>,
  violations: Violation[],
): string | undefined {
  const ofBatch = height ?? onlyHeader(headers, HEIGHT_HEADER, violations);
  if (ofBatch !== undefined && !isHeight(ofBatch)) {
    violations.push({ field: HEIGHT_HEADER, description: 'must be a block height' });
  }
  const requested = ofBatch === undefined ? undefined : requestedHeight([[HEIGHT_HEADER, ofBatch]]);
  return requested ?? heightInPaths(paths, table);
}

function heightInPaths(paths: readonly string[], { transcoder }: Pick<RouteTable, 'transcoder'>): string | undefined {
  for (const path of paths) {
    if (!path.includes('height')) continue;
    const match = transcoder.match('GET', path);
    if (match.kind !== 'found') continue;
    const query = parseQuery(match.rawQuery);
    if ('violations' in query) continue;
    const taken = takeHeight(query.pairs, match.route.rpc.input);
    if ('violations' in taken || taken.height === undefined) continue;
    const inPath = requestedHeight([[HEIGHT_HEADER, taken.height]]);
    if (inPath !== undefined) return inPath;
  }
  return undefined;
}

/**
 * Answers several paths at one height, as JSON: `{"height", "replies": [{"path", "status", "body"}]}`. Without a requested height,
 * the first answer with a height sets it for all: answers at another height are requested again. A failed path is an answer.
 */
export async function answerBatch(
  paths: readonly string[],
  requestedHeight: string | undefined,
  answer: AnswerPath,
  rules: BatchRules,
): Promise<Buffer> {
  const replies: Buffer[] = [];
  const endsAt = rules.now() + rules.timeoutMs;
  let height = requestedHeight;
  let bytes = 0;

  async function answerInTime(path: string, at: string | undefined): Promise<PathAnswer> {
    const leftMs = endsAt - rules.now();
    return leftMs > 0 ? pathAnswer(await answer(path, at, leftMs)) : tooLate();
  }

  async function answerAt(index: number): Promise<void> {
    const path = paths[index] ?? '';
    const at = height;
    let found = await answerInTime(path, at);
    height ??= found.height;
    const isOtherHeight = at === undefined && found.height !== undefined && found.height !== height;
    if (isOtherHeight) found = await answerInTime(path, height);
    bytes += Buffer.byteLength(found.body);
    const { status, body, node } = bytes > rules.limitBytes ? tooMuch() : found;
    const comma = index === 0 ? '' : ',';
    // Encoded one by one: encoding all texts at once would block the event loop.
    const head = `${comma}{"path":${JSON.stringify(path)},"status":${status},${node === undefined ? '' : `"node":${JSON.stringify(node)},`}"body":`;
    replies[index] = Buffer.concat([Buffer.from(head), bytesOf(body), CLOSE]);
  }

  let next = 0;
  const work = async (): Promise<void> => {
    while (next < paths.length) {
      const index = next;
      next += 1;
      await answerAt(index);
    }
  };
  await Promise.all(Array.from({ length: rules.concurrency }, work));
  const wait = rules.yieldFor(bytes);
  if (wait !== undefined) await wait;
  const head = `{"height":${JSON.stringify(height ?? null)},"replies":[`;
  return Buffer.concat([Buffer.from(head), ...replies, Buffer.from(']}')]);
}

interface PathAnswer {
  readonly status: number;
  readonly body: string | Buffer;
  readonly height?: string | undefined;
  /** See `NODE_HEADER`. */
  readonly node?: string | undefined;
}

function pathAnswer({ status, body, headers, isEncoded = false }: Answer): PathAnswer {
  if (!isWhole(body) || isEncoded) return refusal(GRPC_CODES.unimplemented, 'Only JSON is served in a batch');
  return { status, body, height: headers.get(HEIGHT_HEADER)?.[0], node: headers.get(NODE_HEADER)?.[0] };
}

const CLOSE = Buffer.from('}');

function tooMuch(): PathAnswer {
  return refusal(GRPC_CODES.resourceExhausted, 'The answers of this batch are too large together');
}

function tooLate(): PathAnswer {
  return refusal(GRPC_CODES.deadlineExceeded, 'The deadline of this batch has passed');
}

function refusal(code: 4 | 8 | 12, message: string): PathAnswer {
  const { httpStatus: status, body } = errorReply({ code, message, details: [] });
  return { status, body };
}
