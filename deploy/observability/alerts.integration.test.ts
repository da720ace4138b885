import { describe, expect, it } from 'vitest';
import { hasPromtool, promtool } from './promtool.fixture.js';

describe.skipIf(!hasPromtool)('the rules, judged by Prometheus', { timeout: 60_000 }, () => {
  it('are valid, and fire as expected on the recorded series', () => {
    expect(promtool(['check', 'rules', 'alerts.yml'])).toMatchObject({ isContent: true });
    const { isContent, said } = promtool(['test', 'rules', 'alerts.promtool.yml']);
    expect(isContent, said).toBe(true);
  });
});
