import { describe, expect, it } from 'vitest';
import { queries } from './dashboards.fixture.js';
import { hasPromtool, promtool, promtoolOn } from './promtool.fixture.js';

describe.skipIf(!hasPromtool)('Prometheus', () => {
  it('parses the queries of the dashboards', () => {
    const rules = queries.map(({ expr }, at) => ({ record: `panel:${at}`, expr }));
    const panels = JSON.stringify({ groups: [{ name: 'panels', rules }] });
    const { isContent, said } = promtoolOn({ 'panels.yml': panels }, ['check', 'rules', 'panels.yml']);
    expect(isContent, said).toBe(true);
  });

  it('accepts the configuration of the scraper', () => {
    expect(promtool(['check', 'config', '--syntax-only', 'prometheus.yml'])).toMatchObject({ isContent: true });
  });
});
