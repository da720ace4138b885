import { describe, expect, it } from 'vitest';
import { flowNameOf } from '../engine/position.js';
import { findFlow } from '../sessions/find-flow.js';
import { ActiveFlows } from './active-flows.js';
import { defaultFlow } from './default-flow.fixture.js';

const revision = (name: string, version = 2) => ({ ...defaultFlow, version, revision: name });
const one = revision('one');

describe('reloaded flows', () => {
  it('keep each session on its first revision for its longest lifetime', () => {
    let now = 0;
    const served = new ActiveFlows([one], { retentionMs: 1000, clock: () => now });
    served.replace([revision('two')]);
    expect(served.now[0].revision).toBe('two');
    expect(findFlow(flowNameOf(one), served.now)).toBe(one);
    now = 1000;
    served.replace([revision('three')]);
    expect(findFlow(flowNameOf(one), served.now)?.revision).toBe('three');
    expect(findFlow(flowNameOf(revision('two')), served.now)?.revision).toBe('two');
  });

  it('are bounded for any number of changes', () => {
    const served = new ActiveFlows([one], { retentionMs: 1_000_000, clock: () => 0 });
    for (let count = 0; count < 500; count += 1) served.replace([revision(`r${count}`)]);
    expect(served.now).toHaveLength(101);
    expect(served.now[1]?.revision).toBe('r498');
  });

  it('with an earlier revision are stored once', () => {
    const served = new ActiveFlows([one], { retentionMs: 1000, clock: () => 0 });
    served.replace([revision('two')]);
    served.replace([one]);
    served.replace([one]);
    expect(served.now.map((flow) => flow.revision)).toEqual(['one', 'two']);
  });

  it('of another version cannot resume a session', () => {
    expect(findFlow({ id: 'default', version: 1, revision: 'one' }, [one])).toBeUndefined();
    expect(findFlow({ id: 'default', version: 2 }, [one])).toBe(one);
  });
});
