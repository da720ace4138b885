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

Every series has the label \`service\` besides those named here. The unit is in the name: seconds, bytes or ratio. The type shows
what a figure is about:

- **without a mark**: this process. Sum over replicas for the total: \`sum(rate(ussd_hops_total[5m]))\`.
- **fleet**: read from a store that all replicas share, so each replica reports the same figure under the label \`scope="fleet"\`.
  Take the largest: \`max by (state) (oracle_runs)\`. These series are absent while the store is unavailable.

Labels have few values: codes, names of settings, route patterns. They never hold ids of users, sessions or phones.
`;

const longestRow = 140;
/** In place of long helps of prom-client. */
const shorterHelps: Readonly<Record<string, string>> = {
  nodejs_active_handles: 'Number of active libuv handles by their C++ class.',
  nodejs_active_requests: 'Number of active libuv requests by their C++ class.',
  nodejs_active_resources: 'Number of active resources that keep the event loop alive, by async resource type.',
};

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
  const sections = new Map<string, { order: number; metrics: Map<string, Metric> }>();
  for (const metric of [...byService.values()].flat()) {
    const owners = services.filter((service) => byService.get(service)?.some(({ name }) => name === metric.name));
    const ofNode = /^(process|nodejs)_/.test(metric.name);
    const named =
      owners.length === services.length ? 'every service' : owners.map((name) => `\`${name}\``).join(' and ');
    const title = ofNode ? 'Of each process, as every Node.js process has it' : `Of ${named}`;
    const section = sections.get(title) ?? { order: ofNode ? 1 : -owners.length, metrics: new Map() };
    section.metrics.set(metric.name, metric);
    sections.set(title, section);
  }
  const printed = [...sections]
    .toSorted(([, one], [, other]) => one.order - other.order)
    .map(([title, { metrics }]) => {
      const sorted = [...metrics.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
      const head = ['| Name | Type | Labels | Meaning |', '|---|---|---|---|'];
      const rows = sorted.map((metric) => rowOf(metric, meaningOf(metric).short));
      const details = sorted.flatMap(detailOf);
      const list = details.length === 0 ? [] : ['', ...details];
      return [`## ${title}`, '', ...head, ...rows, ...list, ''].join('\n');
    });
  return [HEAD, ...printed].join('\n');
}

/** The help as shown in the table. The rest of a long help is in a list below. */
function meaningOf(metric: Metric): { short: string; detail?: string } {
  const [short, ...details] = metric.help.split(': ');
  if (short === undefined || details.length === 0 || rowOf(metric, metric.help).length <= longestRow) {
    return { short: shorterHelps[metric.name] ?? metric.help };
  }
  return { short: `${short}.`, detail: details.join(': ') };
}

function detailOf(metric: Metric): string[] {
  const { detail } = meaningOf(metric);
  return detail === undefined
    ? []
    : [`- \`${metric.name}\`: ${detail}`.replaceAll(/(.{1,96})(?: |$)/g, '$1\n  ').trimEnd()];
}

function rowOf({ name, type, labelNames }: Metric, meaning: string): string {
  const labels = labelNames.filter((label) => label !== 'scope').map((label) => `\`${label}\``);
  const scope = labelNames.includes('scope') ? ', fleet' : '';
  const cells = [`\`${name}\``, `${type}${scope}`, labels.join(', '), meaning];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replaceAll('|  |', '| |');
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
