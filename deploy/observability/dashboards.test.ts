import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { dashboards, queries, questions } from './dashboards.fixture.js';
import { knownSeries, miscountedIn, seriesIn } from './metric-names.fixture.js';
import { folder } from './promtool.fixture.js';

const read = (path: string) => readFileSync(join(folder, path), 'utf8');
/** Series of Prometheus itself. */
const ofPrometheus = ['ALERTS'];

type Place = (typeof dashboards)[number]['panels'][number]['gridPos'];

const overlap = (one: Place, other: Place) =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;

describe('the dashboards', () => {
  it('are one for each service and one for all, without overlapping panels', () => {
    expect(dashboards.map(({ title }) => title.replace('Mlango: ', '')).toSorted()).toEqual(
      ['USSD gateway', 'oracle', 'overview', 'query gateway'].toSorted(),
    );
    for (const { panels } of dashboards) {
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
      const places = panels.map(({ gridPos }) => gridPos);
      expect(places.every(({ x, w }) => x + w <= 24)).toBe(true);
      expect(places.filter((one, at) => places.some((other, by) => by > at && overlap(one, other)))).toEqual([]);
    }
  });

  it.each(queries)('$dashboard, $panel: $expr uses existing series, and counts none twice', ({ expr }) => {
    const names = seriesIn(expr).filter((name) => !ofPrometheus.includes(name));
    expect(names.filter((name) => !knownSeries.has(name))).toEqual([]);
    expect(miscountedIn(expr)).toEqual([]);
  });

  it('query the provided Prometheus', () => {
    const { datasources } = parse(read('grafana/provisioning/datasources/prometheus.yml')) as {
      datasources: { uid: string }[];
    };
    const asked = dashboards.flatMap(({ panels }) =>
      panels.flatMap((panel) => [panel, ...panel.targets].map(({ datasource }) => datasource.uid)),
    );
    expect(new Set(asked)).toEqual(new Set(datasources.map(({ uid }) => uid)));
  });
});

describe('the twelve questions of the runbook', () => {
  it('are twelve, with different answers', () => {
    expect(questions).toHaveLength(12);
    expect(new Set(questions.map(({ dashboard, panel }) => `${dashboard} ${panel}`)).size).toBe(12);
  });

  it.each(questions)('$question', ({ dashboard, panel }) => {
    const found = dashboards.filter(({ title }) => title === dashboard).flatMap(({ panels }) => panels);
    expect(found.map(({ title }) => title)).toContain(panel);
  });
});

describe('the scraper', () => {
  it('has the jobs that the rules name', () => {
    const { scrape_configs, rule_files } = parse(read('prometheus.yml')) as {
      scrape_configs: { job_name: string }[];
      rule_files: string[];
    };
    expect(scrape_configs.map(({ job_name }) => job_name)).toEqual(['ussd-gateway', 'oracle-api', 'proto-gateway']);
    expect(rule_files).toEqual(['alerts.yml']);
  });

  it('has the same jobs on Kubernetes, from the label and the port of the pods', () => {
    const { scrape_configs, rule_files } = parse(read('prometheus-kubernetes.yml')) as {
      scrape_configs: { relabel_configs: { source_labels: string[]; regex?: string; target_label?: string }[] }[];
      rule_files: string[];
    };
    expect(rule_files).toEqual(['alerts.yml']);
    const relabelings = scrape_configs.flatMap(({ relabel_configs }) => relabel_configs);
    const label = '__meta_kubernetes_pod_label_app_kubernetes_io_name';
    const services = relabelings.find(
      ({ source_labels: [name], regex }) => name === label && regex !== undefined,
    )?.regex;
    expect(relabelings).toContainEqual({ source_labels: [label], target_label: 'job' });
    for (const service of ['ussd-gateway', 'oracle-api', 'proto-gateway']) {
      const deployment = read(`../k8s/base/${service}/deployment.yaml`);
      expect(services?.split('|')).toContain(service);
      expect(deployment).toContain(`      labels: { app.kubernetes.io/name: ${service}, `);
      expect(deployment).toContain('- { name: http, containerPort: ');
    }
  });
});
