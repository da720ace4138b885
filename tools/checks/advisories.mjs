// What is locked is held against the advisories that the registry knows. One that cannot be answered yet is waived by name until a
// day, in advisory-waivers.json: `{ "advisory": "GHSA-…", "until": "2026-01-31", "why": "…" }`. Needs the registry; one that offers no advisories is said and passes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf, pnpm } from './pnpm.mjs';
import { repositoryRoot } from './project-files.mjs';
import { reportAndExit, runsDirectly } from './report.mjs';

/**
 * @typedef {{ advisory: string, until: string, why: string }} Waiver - until and with a day, as 2026-01-31
 * @typedef {{ github_advisory_id: string, module_name: string, severity: string, title: string, url: string,
 *   findings: readonly { version: string }[] }} Advisory - as `pnpm audit --json` gives it
 */

const LONGEST_WAIVER_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** How a registry answers that has no such thing. Any other failure is one. */
const NOT_OFFERED = /AUDIT_ENDPOINT_NOT_EXISTS|responded with (400|404|405|410|501)\b/;

/**
 * @param {string} folder - of a pnpm workspace; nothing is written to it
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<readonly Advisory[] | undefined>} of all that is locked; undefined when the registry offers none
 */
export async function advisoriesOf(folder, env = process.env) {
  try {
    return listed(await pnpm(['audit', '--json'], { cwd: folder, env }));
  } catch (error) {
    const { stdout = '' } = /** @type {{ stdout?: string }} */ (error);
    // It fails when it has found something, too.
    if (stdout.startsWith('{')) return listed(stdout);
    if (NOT_OFFERED.test(outputOf(error))) return undefined;
    throw new Error(outputOf(error));
  }
}

/**
 * @param {string} json
 * @returns {Advisory[]}
 */
function listed(json) {
  return Object.values(JSON.parse(json).advisories);
}

/**
 * @param {readonly Advisory[] | undefined} advisories - undefined when nobody could be asked
 * @param {readonly Waiver[]} waivers
 * @param {string} today - as 2026-01-31
 * @returns {string[]} what is neither answered nor waived, and waivers that are none
 */
export function unanswered(advisories, waivers, today) {
  const waived = new Set(waivers.map(({ advisory }) => advisory));
  const open = (advisories ?? []).filter(({ github_advisory_id: id }) => !waived.has(id));
  const known = new Set(advisories?.map(({ github_advisory_id: id }) => id));
  return [
    ...open.map(({ github_advisory_id: id, module_name: name, severity, title, url, findings }) => {
      const versions = [...new Set(findings.map(({ version }) => version))].join(', ');
      return `${name} ${versions}: ${severity}: ${title} (${id}, ${url})`;
    }),
    ...waivers.flatMap((waiver) => {
      const problem = problemOf(waiver, today);
      if (problem !== undefined) return [problem];
      return advisories === undefined || known.has(waiver.advisory)
        ? []
        : [`${waiver.advisory} is waived, and found no more`];
    }),
  ];
}

/**
 * @param {Waiver} waiver
 * @param {string} today
 * @returns {string | undefined}
 */
function problemOf({ advisory, until, why }, today) {
  const days = (Date.parse(until) - Date.parse(today)) / DAY_MS;
  if (!/^\d{4}-\d\d-\d\d$/.test(until) || Number.isNaN(days)) return `${advisory} is waived until no day: ${until}`;
  if (days < 0) return `${advisory} was waived until ${until}`;
  if (days > LONGEST_WAIVER_DAYS) return `${advisory} is waived for more than ${LONGEST_WAIVER_DAYS} days: ${until}`;
  return why.trim() === '' ? `${advisory} is waived for no reason` : undefined;
}

if (runsDirectly(import.meta.url)) {
  const waivers = JSON.parse(readFileSync(join(import.meta.dirname, 'advisory-waivers.json'), 'utf8'));
  const advisories = await advisoriesOf(repositoryRoot);
  if (advisories === undefined) console.log('advisories: the registry offers none, so nothing was looked up');
  reportAndExit('advisories', unanswered(advisories, waivers, new Date().toISOString().slice(0, 10)));
}
