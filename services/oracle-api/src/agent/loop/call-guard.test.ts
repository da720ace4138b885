import { describe, expect, it } from 'vitest';
import { CallGuard } from './call-guard.js';

const call = (args: Record<string, unknown> = {}) => ({ id: 'c', name: 'look', args });

/** How many of so many equal calls are made. */
function made(guard: CallGuard, calls: number, sameCalls?: number): number {
  const refusals = Array.from({ length: calls }, () =>
    guard.refusal(call(), 0, sameCalls === undefined ? undefined : { plugin: 'eyes', sameCalls }),
  );
  return refusals.filter((refusal) => refusal === undefined).length;
}

describe('the guard of a turn', () => {
  it('lets the very same call be made as often as is set', () => {
    expect(made(new CallGuard(2), 4)).toBe(2);
    expect(made(new CallGuard(5), 9)).toBe(5);
  });

  it('lets a tool have more than that, or fewer', () => {
    expect(made(new CallGuard(2), 4, 1)).toBe(1);
    const guard = new CallGuard(2);
    expect(made(guard, 200, Number.POSITIVE_INFINITY)).toBe(200);
    expect(guard.isTripped).toBe(false);
  });

  it('is tripped by what it had to refuse three times', () => {
    const guard = new CallGuard(1);
    made(guard, 3);
    expect(guard.isTripped).toBe(false);
    made(guard, 1);
    expect(guard.isTripped).toBe(true);
  });

  it('lets the tools of a plugin be called in as many steps as it has, and those of others go on', () => {
    const guard = new CallGuard(9);
    const tool = { plugin: 'eyes', pluginSteps: 2 };
    const refusals = Array.from({ length: 3 }, () => {
      guard.nextStep();
      return [
        guard.refusal(call(), 0, tool),
        guard.refusal(call(), 1, tool),
        guard.refusal(call(), 2, { plugin: 'ears' }),
      ];
    });
    const none = [undefined, undefined, undefined];
    const over = expect.stringContaining('tools of eyes are called in at most 2 steps');
    expect(refusals).toEqual([none, none, [over, over, undefined]]);
  });

  it('takes no more than sixteen calls of one step, whatever they are', () => {
    expect(new CallGuard(2).refusal(call(), 16, { plugin: 'eyes', sameCalls: Number.POSITIVE_INFINITY })).toContain(
      'at most 16',
    );
  });
});
