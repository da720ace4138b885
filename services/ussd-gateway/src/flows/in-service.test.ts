import { describe, expect, it } from 'vitest';
import { defaultFlow } from './default/flow.js';
import { assertFlows, flowsInService } from './in-service.js';

const facts = { appName: 'Mlango' };

describe('flows in service', () => {
  it('are sound, and no two of them are one version', () => {
    expect(() => assertFlows(flowsInService, facts)).not.toThrow();
  });

  it('may be several versions of one dialogue', () => {
    expect(() => assertFlows([{ ...defaultFlow, version: 9 }, defaultFlow], facts)).not.toThrow();
  });

  it('that are the same version twice, or an earlier one that is not sound, are refused', () => {
    expect(() => assertFlows([defaultFlow, defaultFlow], facts)).toThrow('version 2 is in service twice');
    const broken = { ...defaultFlow, version: 1, start: 'nowhere' };
    expect(() => assertFlows([defaultFlow, broken], facts)).toThrow('"nowhere" is not a menu');
  });
});
