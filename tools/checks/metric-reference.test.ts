import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedServices } from './embedded-services.mjs';
import { projectFiles, repositoryRoot } from './project-files.mjs';

interface Metric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

const PAGE = join(repositoryRoot, 'docs/operations/metrics.md');
const HEAD = `# Metrics

The series of \`GET /metrics\` of each service. This page is made from what the services register; a test compares the two, and
\`npm test -- tools/checks/metric-reference -u\` writes it. See also [the runbook](runbook.md) and
[the alert rules](../../deploy/observability/README.md).

Every series has the label \`service\` besides those named here. The column *Of*:

- **replica**: a figure of this process. Sum over replicas for the total: \`sum(rate(ussd_hops_total[5m]))\`.
- **fleet**: read from a store that all replicas share, so each replica reports the same figure under the label \`scope="fleet"\`.
  Take the largest: \`max by (state) (oracle_runs)\`. These series are absent while the store is unavailable.

Labels have few values: codes, names of settings, route patterns. They never hold ids of users, sessions or phones.
`;

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'metrics-'));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function registeredMetrics(): Promise<ReadonlyMap<string, readonly Metric[]>> {
  const { services, close } = await embeddedServices(dataDir);
  const found = services.map(({ name, deps }) => [name, deps.metrics.registry.getMetricsAsArray()] as const);
  await close();
  return new Map(found) as unknown as ReadonlyMap<string, readonly Metric[]>;
}

function pageOf(byService: ReadonlyMap<string, readonly Metric[]>): string {
  const services = [...byService.keys()];
  const sections = new Map<string, { order: number; rows: Map<string, string> }>();
  for (const metric of [...byService.values()].flat()) {
    const owners = services.filter((service) => byService.get(service)?.some(({ name }) => name === metric.name));
    const ofNode = /^(process|nodejs)_/.test(metric.name);
    const named =
      owners.length === services.length ? 'every service' : owners.map((name) => `\`${name}\``).join(' and ');
    const title = ofNode ? 'Of each process, as every Node.js process has it' : `Of ${named}`;
    const section = sections.get(title) ?? { order: ofNode ? 1 : -owners.length, rows: new Map() };
    section.rows.set(metric.name, rowOf(metric));
    sections.set(title, section);
  }
  const printed = [...sections]
    .toSorted(([, one], [, other]) => one.order - other.order)
    .map(([title, { rows }]) => {
      const sorted = [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
      const head = ['| Name | Type | Labels | Unit | Of | What |', '|---|---|---|---|---|---|'];
      return [`## ${title}`, '', ...head, ...sorted, ''].join('\n');
    });
  return [HEAD, ...printed].join('\n');
}

function rowOf({ name, type, labelNames, help }: Metric): string {
  const labels = labelNames.filter((label) => label !== 'scope').map((label) => `\`${label}\``);
  const unit = /_(seconds|bytes|ratio)(_total)?$/.exec(name)?.[1] ?? '';
  const scope = labelNames.includes('scope') ? 'fleet' : 'replica';
  const cells = [`\`${name}\``, type, labels.join(', '), unit, scope, help];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** The first property of a metric's options is its name. */
const registration = /\b(?:counter|gauge|histogram)(?:<[^>]*>)?\(\{\s*name: '([a-z_]+)'/g;

describe('docs/operations/metrics.md', () => {
  it('lists the metrics that the built services register', { timeout: 60_000 }, async () => {
    await expect(pageOf(await registeredMetrics())).toMatchFileSnapshot(PAGE);
  });

  it('lists every metric in the source, so the services above register all of them', () => {
    const page = readFileSync(PAGE, 'utf8');
    const names = projectFiles()
      .filter((file) => /^(services\/[^/]+|packages\/service-kit)\/src\/.*(?<!\.test|\.fixture)\.ts$/.test(file))
      .flatMap((file) => [...readFileSync(join(repositoryRoot, file), 'utf8').matchAll(registration)])
      .map(([, name]) => name);
    expect(names.length).toBeGreaterThan(40);
    expect(names.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  });
});
