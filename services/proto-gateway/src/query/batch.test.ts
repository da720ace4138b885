import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { describe, expect, it, vi } from 'vitest';
import { type Answer, errorAnswer, JSON_TYPE } from '../answers/answer.js';
import { answerBatch } from './batch.js';

const RULES = { concurrency: 3, limitBytes: 1000, timeoutMs: 1000, yieldFor: () => undefined, now: () => 0 };

function reported(body: string, height?: string): Answer {
  const headers = new Map(height === undefined ? [] : [['x-cosmos-block-height', [height]]]);
  return { status: 200, contentType: JSON_TYPE, headers, body, code: GRPC_CODES.ok };
}

describe('the answers of a batch', () => {
  it('are all at the height of the first answer', async () => {
    const requested: (string | undefined)[] = [];
    const paths = ['/none', ...Array.from({ length: 9 }, (_, index) => `/${index}`)];
    const text = await answerBatch(
      paths,
      undefined,
      async (path, height) => {
        requested.push(height);
        if (path === '/none') return errorAnswer({ code: 5, message: 'none', details: [] });
        return reported(`"${path}"`, height ?? '900');
      },
      RULES,
    );
    expect(requested).toEqual([undefined, undefined, undefined, ...Array(7).fill('900')]);
    const reply = JSON.parse(text.toString()) as { height: string; replies: { path: string; status: number }[] };
    expect(reply.height).toBe('900');
    expect(reply.replies.map(({ path, status }) => [path, status])).toEqual(
      paths.map((path) => [path, path === '/none' ? 404 : 200]),
    );
  });

  it('are requested again if they were at another height', async () => {
    const requested: string[] = [];
    const text = await answerBatch(
      ['/a', '/b', '/c'],
      undefined,
      async (path, height) => {
        requested.push(`${path}@${height ?? 'latest'}`);
        return reported('1', height ?? (path === '/a' ? '900' : '901'));
      },
      RULES,
    );
    expect(requested).toEqual(['/a@latest', '/b@latest', '/c@latest', '/b@900', '/c@900']);
    expect(JSON.parse(text.toString())).toMatchObject({ height: '900' });
  });

  it('do not wait for each other without a height', async () => {
    const waiting: (() => void)[] = [];
    const answered = answerBatch(
      Array(3).fill('/a'),
      undefined,
      () => new Promise((resolve) => waiting.push(() => resolve(reported('1')))),
      RULES,
    );
    await vi.waitFor(() => expect(waiting).toHaveLength(3));
    for (const end of waiting) end();
    await answered;
  });

  it('share one deadline', async () => {
    let clock = 0;
    const input: number[] = [];
    const text = await answerBatch(
      ['/a', '/b', '/c', '/d'],
      '5',
      async (_path, _height, timeoutMs) => {
        input.push(timeoutMs);
        clock += 400;
        return reported('1', '5');
      },
      { ...RULES, concurrency: 1, now: () => clock },
    );
    expect(input).toEqual([1000, 600, 200]);
    const { replies } = JSON.parse(text.toString()) as { replies: { status: number; body: unknown }[] };
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 504]);
    expect(replies[3]?.body).toMatchObject({ code: 4 });
  });

  it('have no height if the node reports none', async () => {
    const text = await answerBatch(['/a', '/b'], undefined, async () => reported('1'), RULES);
    expect(JSON.parse(text.toString())).toEqual({
      height: null,
      replies: [
        { path: '/a', status: 200, body: 1 },
        { path: '/b', status: 200, body: 1 },
      ],
    });
  });

  it('are requested a few at a time', async () => {
    let running = 0;
    let most = 0;
    const answer = async (): Promise<Answer> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return reported('1', '5');
    };
    await answerBatch(Array(20).fill('/a'), '5', answer, RULES);
    expect(most).toBe(3);
  });

  it('are refused beyond the common limit of bytes', async () => {
    const text = await answerBatch(['/a', '/b'], '5', async () => reported(`"${'x'.repeat(700)}"`), RULES);
    const { replies } = JSON.parse(text.toString()) as { replies: { status: number; body: unknown }[] };
    expect(replies.map((reply) => reply.status)).toEqual([200, 429]);
    expect(replies[1]?.body).toMatchObject({ code: 8 });
  });
});
