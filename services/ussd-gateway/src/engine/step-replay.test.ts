import { describe, expect, it } from 'vitest';
import { defaultFlow } from '../flows/default-flow.fixture.js';
import { startOf } from './position.js';
import { replay } from './step.js';

const run = (...inputs: string[]) =>
  replay(defaultFlow, startOf(defaultFlow), inputs, { facts: { appName: 'Mlango' }, nowMs: 0 });

describe('inputs that are replayed', () => {
  it('lead where they led when they were typed, wrong ones too', () => {
    expect(run('1', '9', '2')).toMatchObject({ state: 'infoTopic', choices: { topic: 'pricing' } });
    expect(run('1', '9')).toMatchObject({ state: 'knowMore', notice: { text: 'wrongChoice' } });
    expect(run()).toEqual(startOf(defaultFlow));
  });

  it('stop where the session ended', () => {
    expect(run('1', '*', '1', '2')).toMatchObject({ state: 'closed' });
  });

  it('stop at what is typed and before what has an effect, and say why', () => {
    expect(run('2', '2', 'Amina')).toMatchObject({ state: 'nameEntry', notice: { text: 'interrupted' } });
    expect(run('2', '2')).toEqual({ ...run('2', '2'), notice: undefined });
  });

  it('go on from where a session stands', () => {
    const here = run('1');
    expect(replay(defaultFlow, here, ['3', '0'], { facts: { appName: 'Mlango' }, nowMs: 0 })).toMatchObject({
      state: 'knowMore',
    });
  });
});
