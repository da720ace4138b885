import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { queries } from './dashboards.fixture.js';
import { folder, hasPromtool, promtool, promtoolOn } from './promtool.fixture.js';

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

  it('accepts the configuration for Kubernetes', () => {
    // Debian's build has no service discovery of Kubernetes.
    const file = readFileSync(join(folder, 'prometheus-kubernetes.yml'), 'utf8');
    const configuration = file.replace(/kubernetes_sd_configs: .*/, "static_configs: [{ targets: ['pod:1'] }]");
    const check = ['check', 'config', '--syntax-only', 'prometheus.yml'];
    const { isContent, said } = promtoolOn({ 'prometheus.yml': configuration }, check);
    expect(isContent, said).toBe(true);
  });
});
