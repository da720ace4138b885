import { GRPC_CODES, httpStatusOf } from '../transcoding/grpc-status.js';
import { HEIGHT_HEADER } from '../transcoding/metadata.js';
import type { Answer } from './answer.js';

/** Answers one path, at a height or at the latest one. */
export type AnswerPath = (path: string, height: string | undefined) => Promise<Answer>;

export interface BatchRules {
  /** How many paths are answered at the same time. */
  readonly concurrency: number;
  /** Characters of all bodies together. Answers beyond are refused with code 8. */
  readonly limitCharacters: number;
}

/**
 * Answers several paths at one height, as JSON text: `{"height", "replies": [{"path", "status", "body"}]}`. Without a
 * height the first answer that tells one sets it for all that follow. A path that fails is an answer like any other.
 */
export async function answerBatch(
  paths: readonly string[],
  givenHeight: string | undefined,
  answer: AnswerPath,
  rules: BatchRules,
): Promise<string> {
  const replies: string[] = [];
  let height = givenHeight;
  let characters = 0;

  async function answerAt(index: number): Promise<void> {
    const path = paths[index] ?? '';
    const found = wholeAnswer(await answer(path, height));
    height ??= found.height;
    characters += found.body.length;
    const { status, body } = characters > rules.limitCharacters ? tooMuch() : found;
    replies[index] = `{"path":${JSON.stringify(path)},"status":${status},"body":${body}}`;
  }

  let next = 0;
  while (next < paths.length && height === undefined) {
    await answerAt(next);
    next += 1;
  }
  const work = async (): Promise<void> => {
    while (next < paths.length) {
      const index = next;
      next += 1;
      await answerAt(index);
    }
  };
  await Promise.all(Array.from({ length: rules.concurrency }, work));
  return `{"height":${JSON.stringify(height ?? null)},"replies":[${replies.join(',')}]}`;
}

interface WholeAnswer {
  readonly status: number;
  readonly body: string;
  readonly height?: string | undefined;
}

function wholeAnswer({ status, body, headers }: Answer): WholeAnswer {
  if (typeof body !== 'string') return refusal(GRPC_CODES.unimplemented, 'Streams are not served in a batch');
  return { status, body, height: headers.get(HEIGHT_HEADER)?.[0] };
}

function tooMuch(): WholeAnswer {
  return refusal(GRPC_CODES.resourceExhausted, 'The answers of this batch are too large together');
}

function refusal(code: 8 | 12, message: string): WholeAnswer {
  return { status: httpStatusOf(code), body: JSON.stringify({ code, message, details: [] }) };
}
