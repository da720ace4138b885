import { describe, expect, it } from 'vitest';
import { defaultFlow } from '../flows/default-flow.fixture.js';
import { replay } from './apply-input.js';
import { startOf } from './position.js';

const run = (...inputs: string[]) =>
  replay(defaultFlow, startOf(defaultFlow), inputs, { facts: { appName: 'Mlango' }, arrivedAtMs: 0 });

describe('replayed inputs', () => {
  it('lead to the same screens as when they were typed, including wrong ones', () => {
    expect(run('1', '9', '2')).toMatchObject({ state: 'infoTopic', choices: { topic: 'pricing' } });
    expect(run('1', '9')).toMatchObject({ state: 'knowMore', notice: { text: 'wrongChoice' } });
    expect(run()).toEqual(startOf(defaultFlow));
  });

  it('stop at the end of the session', () => {
    expect(run('1', '*', '1', '2')).toMatchObject({ state: 'closed' });
  });

  it('stop at entry screens and before effects, with a reason', () => {
    expect(run('2', '2', 'Amina')).toMatchObject({ state: 'nameEntry', notice: { text: 'interrupted' } });
    expect(run('2', '2')).toEqual({ ...run('2', '2'), notice: undefined });
  });

  it('continue from the position of a session', () => {
    const here = run('1');
    expect(replay(defaultFlow, here, ['3', '0'], { facts: { appName: 'Mlango' }, arrivedAtMs: 0 })).toMatchObject({
      state: 'knowMore',
    });
  });
});
