import { HEIGHT_HEADER } from '@mlango/cosmos-rest/heights';
import { errorReply, GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { type Answer, bytesOf, isWhole } from './answer.js';
import type { YieldForBytes } from './yield-to-event-loop.js';

/** Answers one path, at a height or at the latest one, within a time. */
export type AnswerPath = (path: string, height: string | undefined, timeoutMs: number) => Promise<Answer>;

export interface BatchRules {
  /** How many paths are answered at the same time. */
  readonly concurrency: number;
  /** Of all bodies together. Answers beyond are refused with code 8. */
  readonly limitBytes: number;
  /** Time for all of them together. Paths whose turn comes after it are answered with code 4. */
  readonly timeoutMs: number;
  readonly yieldFor: YieldForBytes;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/**
 * Answers several paths at one height, as JSON: `{"height", "replies": [{"path", "status", "body"}]}`. Without a
 * height the first answer that tells one sets it for all: those that were under way meanwhile and tell another one are
 * asked for again. A path that fails is an answer like any other.
 */
export async function answerBatch(
  paths: readonly string[],
  givenHeight: string | undefined,
  answer: AnswerPath,
  rules: BatchRules,
): Promise<Buffer> {
  const replies: Buffer[] = [];
  const endsAt = rules.now() + rules.timeoutMs;
  let height = givenHeight;
  let bytes = 0;

  async function ask(path: string, at: string | undefined): Promise<PathAnswer> {
    const leftMs = endsAt - rules.now();
    return leftMs > 0 ? pathAnswer(await answer(path, at, leftMs)) : tooLate();
  }

  async function answerAt(index: number): Promise<void> {
    const path = paths[index] ?? '';
    const at = height;
    let found = await ask(path, at);
    height ??= found.height;
    const isElsewhere = at === undefined && found.height !== undefined && found.height !== height;
    if (isElsewhere) found = await ask(path, height);
    bytes += Buffer.byteLength(found.body);
    const { status, body } = bytes > rules.limitBytes ? tooMuch() : found;
    const comma = index === 0 ? '' : ',';
    // As bytes right away: texts of all of them would become bytes in one go.
    const head = `${comma}{"path":${JSON.stringify(path)},"status":${status},"body":`;
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
}

function pathAnswer({ status, body, headers, isEncoded = false }: Answer): PathAnswer {
  if (!isWhole(body) || isEncoded) return refusal(GRPC_CODES.unimplemented, 'Only JSON is served in a batch');
  return { status, body, height: headers.get(HEIGHT_HEADER)?.[0] };
}

const CLOSE = Buffer.from('}');

function tooMuch(): PathAnswer {
  return refusal(GRPC_CODES.resourceExhausted, 'The answers of this batch are too large together');
}

function tooLate(): PathAnswer {
  return refusal(GRPC_CODES.deadlineExceeded, 'The time of this batch is over');
}

function refusal(code: 4 | 8 | 12, message: string): PathAnswer {
  const { httpStatus: status, body } = errorReply({ code, message, details: [] });
  return { status, body };
}
