import { describe, expect, it } from 'vitest';
import { GRPC_CODES } from '../transcoding/grpc-status.js';
import { type Answer, errorAnswer, JSON_TYPE } from './answer.js';
import { answerBatch } from './answer-batch.js';

const RULES = { concurrency: 3, limitCharacters: 1000 };

function told(body: string, height?: string): Answer {
  const headers = new Map(height === undefined ? [] : [['x-cosmos-block-height', [height]]]);
  return { status: 200, contentType: JSON_TYPE, headers, body, code: GRPC_CODES.ok };
}

describe('the answers of a batch', () => {
  it('are all at the height the first answer tells', async () => {
    const asked: (string | undefined)[] = [];
    const paths = ['/none', ...Array.from({ length: 9 }, (_, index) => `/${index}`)];
    const text = await answerBatch(
      paths,
      undefined,
      async (path, height) => {
        asked.push(height);
        if (path === '/none') return errorAnswer({ code: 5, message: 'none', details: [] });
        return told(`"${path}"`, height ?? '900');
      },
      RULES,
    );
    expect(asked).toEqual([undefined, undefined, ...Array(8).fill('900')]);
    const reply = JSON.parse(text) as { height: string; replies: { path: string; status: number }[] };
    expect(reply.height).toBe('900');
    expect(reply.replies.map(({ path, status }) => [path, status])).toEqual(
      paths.map((path) => [path, path === '/none' ? 404 : 200]),
    );
  });

  it('tell no height where the node tells none', async () => {
    const text = await answerBatch(['/a', '/b'], undefined, async () => told('1'), RULES);
    expect(JSON.parse(text)).toEqual({
      height: null,
      replies: [
        { path: '/a', status: 200, body: 1 },
        { path: '/b', status: 200, body: 1 },
      ],
    });
  });

  it('are a few at a time', async () => {
    let running = 0;
    let most = 0;
    const answer = async (): Promise<Answer> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return told('1', '5');
    };
    await answerBatch(Array(20).fill('/a'), '5', answer, RULES);
    expect(most).toBe(3);
  });

  it('are refused beyond what all of them may hold', async () => {
    const text = await answerBatch(['/a', '/b'], '5', async () => told(`"${'x'.repeat(700)}"`), RULES);
    const { replies } = JSON.parse(text) as { replies: { status: number; body: unknown }[] };
    expect(replies.map((reply) => reply.status)).toEqual([200, 429]);
    expect(replies[1]?.body).toMatchObject({ code: 8 });
  });
});
