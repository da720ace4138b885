// docs/operations/metrics.md says what the services measure, and is made from what they register. `--write` makes it anew.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from './project-files.mjs';
import { registeredMetrics } from './registered-metrics.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

/** @typedef {import('./registered-metrics.mjs').Registered} Registered */

const page = 'docs/operations/metrics.md';

const head = `# Metrics

What \`GET /metrics\` of each service has. This page is made from what the services register, by \`npm run metrics\`, and a test compares the
two. What to do with it: [the runbook](runbook.md) and [the alert rules](../../deploy/observability/README.md).

Every series has the label \`service\` besides those named here. *Of* says whose figure it is:

- **replica**: this process's own. The figure of all is the sum over replicas: \`sum(rate(ussd_hops_total[5m]))\`.
- **fleet**: read from a store that all replicas share, so each of them tells the same. A sum would count it once for each replica; such series
  have the label \`scope="fleet"\`, and the figure of all is the largest: \`max by (state) (oracle_runs)\`. They are absent while the store is away.

Labels have few values: codes, names of settings, routes as patterns, never ids of users, sessions or phones.
`;

/**
 * The whole page.
 * @param {ReadonlyMap<string, readonly Registered[]>} byService
 */
export function metricReference(byService) {
  const services = [...byService.keys()];
  /** @type {Map<string, { title: string, order: number, metrics: Registered[] }>} */
  const sections = new Map();
  for (const metric of new Map([...byService.values()].flat().map((one) => [one.name, one])).values()) {
    const having = services.filter((service) => byService.get(service)?.some(({ name }) => name === metric.name));
    const isOfNode = /^(process|nodejs)_/.test(metric.name);
    const ofServices =
      having.length === services.length ? 'every service' : having.map((name) => `\`${name}\``).join(' and ');
    const title = isOfNode ? 'Of each process, as every Node.js process has it' : `Of ${ofServices}`;
    const section = sections.get(title) ?? { title, order: isOfNode ? 1 : -having.length, metrics: [] };
    section.metrics.push(metric);
    sections.set(title, section);
  }
  const printed = [...sections.values()].toSorted((a, b) => a.order - b.order).map(printSection);
  return [head, ...printed].join('\n');
}

/** @param {{ title: string, metrics: readonly Registered[] }} section */
function printSection({ title, metrics }) {
  const rows = metrics
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, labels, help }) => {
      const isFleet = labels.includes('scope');
      const own = labels.filter((label) => label !== 'scope').map((label) => `\`${label}\``);
      const cells = [`\`${name}\``, type, own.join(', '), unitOf(name), isFleet ? 'fleet' : 'replica', help];
      return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    });
  return [
    `## ${title}`,
    '',
    '| Name | Type | Labels | Unit | Of | What |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** @param {string} name */
function unitOf(name) {
  return /_(seconds|bytes|ratio)(_total)?$/.exec(name)?.[1] ?? '';
}

async function main() {
  const dataDir = mkdtempSync(join(tmpdir(), 'mlango-metrics-'));
  try {
    const made = metricReference(await registeredMetrics(dataDir));
    const path = join(repositoryRoot, page);
    if (process.argv.includes('--write')) writeFileSync(path, made);
    const isCurrent = readFileSync(path, 'utf8') === made;
    reportAndExit('metric reference', isCurrent ? [] : [`${page} is not what the services register: npm run metrics`]);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

if (runsDirectly(import.meta.url)) await main();
