import { describe, expect, it } from 'vitest';
import { CallGuard } from './repeat-guard.js';

const call = (args: Record<string, unknown> = {}) => ({ id: 'c', name: 'look', args });

/** Number of permitted calls among equal ones. */
function made(guard: CallGuard, calls: number, sameCalls?: number): number {
  const refusals = Array.from({ length: calls }, () =>
    guard.refusal(call(), 0, sameCalls === undefined ? undefined : { plugin: 'eyes', sameCalls }),
  );
  return refusals.filter((refusal) => refusal === undefined).length;
}

describe('the call guard of a turn', () => {
  it('permits identical calls up to the setting', () => {
    expect(made(new CallGuard(2), 4)).toBe(2);
    expect(made(new CallGuard(5), 9)).toBe(5);
  });

  it('applies the limit of a tool, higher or lower', () => {
    expect(made(new CallGuard(2), 4, 1)).toBe(1);
    const guard = new CallGuard(2);
    expect(made(guard, 200, Number.POSITIVE_INFINITY)).toBe(200);
    expect(guard.isTripped).toBe(false);
  });

  it('is tripped by three refusals', () => {
    const guard = new CallGuard(1);
    made(guard, 3);
    expect(guard.isTripped).toBe(false);
    made(guard, 1);
    expect(guard.isTripped).toBe(true);
  });

  it('limits the steps of a plugin, independent of other plugins', () => {
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

  it('permits sixteen calls of one step, of any kind', () => {
    expect(new CallGuard(2).refusal(call(), 16, { plugin: 'eyes', sameCalls: Number.POSITIVE_INFINITY })).toContain(
      'at most 16',
    );
  });
});
