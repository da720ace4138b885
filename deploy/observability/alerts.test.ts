import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { knownSeries, miscountedIn, seriesIn } from './metric-names.fixture.js';
import { folder, readRules } from './promtool.fixture.js';

const rules = readRules().groups.flatMap((group) => group.rules);
const recorded = parse(readFileSync(join(folder, 'alerts.promtool.yml'), 'utf8')) as Recorded;

interface Recorded {
  readonly tests: readonly {
    readonly name: string;
    readonly input_series: readonly { readonly series: string }[];
    readonly promql_expr_test: readonly { readonly exp_samples: readonly { readonly labels: string }[] }[];
  }[];
}

/** The address that a page gives to a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

describe('an alert', () => {
  it.each(rules)('$alert has a summary, a severity, and a walk-through in the runbook', ({ labels, annotations }) => {
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(annotations.summary).toMatch(/\.$/);
    const [file = '', anchor] = annotations.runbook.split('#');
    const headings = [...readFileSync(join(folder, '../..', file), 'utf8').matchAll(/^#+ (.+)$/gm)];
    expect(headings.map(([, heading = '']) => anchorOf(heading))).toContain(anchor);
  });

  it.each(rules)('$alert uses existing series, and counts none twice', ({ expr }) => {
    const names = seriesIn(expr);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !knownSeries.has(name))).toEqual([]);
    expect(miscountedIn(expr)).toEqual([]);
  });

  it.each(rules)('$alert is rehearsed with real processes', ({ alert }) => {
    const rehearsals = ['rehearsal.integration.test.ts', 'rehearsal-of-waits.integration.test.ts'].map((file) =>
      readFileSync(join(folder, file), 'utf8'),
    );
    const firing = rehearsals.flatMap((text) =>
      [...text.matchAll(/firing(?:: | = )\[([^\]]+)\]/g)].map(([, names = '']) => names),
    );
    expect(firing.join()).toContain(`'${alert}'`);
  });

  it('the check finds an unknown name, and a sum of a fleet-wide series', () => {
    expect(seriesIn('sum by (a) (rate(ussd_hobs_total{b="c"}[5m])) > 2')).toEqual(['ussd_hobs_total']);
    expect(miscountedIn('sum by (state) (oracle_runs{state="queued"})')).toEqual(['oracle_runs']);
    expect(miscountedIn('max by (state) (oracle_runs) + sum(oracle_turns_running)')).toEqual([]);
  });
});

describe('the recorded series', () => {
  const [well, ...faults] = recorded.tests;

  it.each(rules)('has a fault in which only $alert fires, after it has been silent', ({ alert }) => {
    const fault = faults.find(({ name }) => name === alert);
    const expected = fault?.promql_expr_test.map(({ exp_samples }) => exp_samples.map(({ labels }) => labels));
    expect(expected).toEqual([[], [`{alertname="${alert}"}`]]);
  });

  it.each(rules)('has all series of $alert without a fault', ({ expr }) => {
    const names = well?.input_series.map(({ series }) => series.replace(/\{.*/, ''));
    expect(names).toEqual(expect.arrayContaining(seriesIn(expr)));
    expect(well?.promql_expr_test.flatMap(({ exp_samples }) => exp_samples)).toEqual([]);
  });
});
