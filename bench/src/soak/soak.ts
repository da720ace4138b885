/**
 * The three services for minutes or hours, two replicas each, with faults by a plan and callers who check whatever they are told. SOAK_MINUTES
 * (10), SOAK_SEED (1), SOAK_KINDS (comma-separated, all), SOAK_JSON (a file for the report). Exit code 1 where an invariant does not hold.
 */
import { writeFileSync } from 'node:fs';
import { accountFinding, keptAccounts, madePayments, paymentFinding } from './account-checks.js';
import { type FaultKind, faultKinds } from './fault-kinds.js';
import { faultLine, planOf } from './fault-plan.js';
import { flatnessOf } from './flatness.js';
import { checkpoint } from './gauges.js';
import { missingKinds } from './injector.js';
import { startLoads } from './loads.js';
import { checkOrphans } from './orphan-check.js';
import { openScene } from './scene.js';
import { Sky } from './sky.js';
import { printReport, reportAsJson, verdictsOf } from './soak-report.js';
import { Tally } from './tally.js';
import { Timeline } from './timeline.js';
import { creditFinding, keptCredits, keptTurns, turnFindings } from './turn-checks.js';

const { SOAK_MINUTES = '10', SOAK_SEED = '1', SOAK_KINDS = Object.keys(faultKinds).join(','), SOAK_JSON } = process.env;
const [minutes, seed] = [Number(SOAK_MINUTES), Number(SOAK_SEED)];
if (!(minutes > 0) || !Number.isInteger(seed))
  throw new Error('SOAK_MINUTES is a number of minutes, SOAK_SEED a whole number');
const wanted = SOAK_KINDS.split(',').map((name) => {
  if (!Object.hasOwn(faultKinds, name))
    throw new Error(`SOAK_KINDS: ${name} is none of ${Object.keys(faultKinds).join(', ')}`);
  return name as FaultKind;
});

const scene = await openScene(seed);
let isWell = false;
// Whoever ends it early leaves no server and no mounted disk behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void scene.close(true).finally(() => process.exit(130)));
}
try {
  const missing = missingKinds(scene);
  const plan = planOf(
    seed,
    minutes,
    wanted.filter((kind) => !missing.has(kind)),
  );
  process.stdout.write(
    `Seed ${seed}, ${minutes} minutes; logs in ${scene.folder}\n${plan.map(faultLine).join('\n')}\n\nNow:\n`,
  );
  const [sky, tally] = [new Sky(), new Tally((line) => process.stderr.write(`${line}\n`))];
  const loads = await startLoads(scene, sky, tally, seed);
  const timeline = new Timeline(scene, sky, tally, minutes * 60_000);
  // Whoever of the callers fails is a fault of this program, and ends it.
  const { first, middle } = await Promise.race([timeline.run(plan), failureOf(loads.ended)]);
  const stale = loads.watchers.filter(({ isFresh }) => !isFresh);
  for (const _ of stale) tally.violate('watches tell each block once', 'nothing in the last 20 s, in calm');
  sky.finish();
  await loads.ended;
  const orphans = await checkOrphans(scene, timeline.oracleKills);
  const end = await checkpoint(scene, 1);
  const { turns } = loads.askers;
  const findings = [
    orphans,
    accountFinding(loads.subscribers.accounts, await keptAccounts(scene)),
    paymentFinding(loads.payers.told, await madePayments(scene)),
    ...turnFindings(turns, await keptTurns(scene)),
    creditFinding(turns, await keptCredits(scene), timeline.oracleKills),
    ...flatnessOf(middle, end),
  ];
  const soak = {
    seed,
    minutes,
    plan,
    missing,
    tally,
    checkpoints: [first, middle, end],
    slowestRecovery: timeline.slowestRecovery,
    findings,
  };
  printReport(soak);
  if (SOAK_JSON !== undefined) writeFileSync(SOAK_JSON, reportAsJson(soak));
  isWell = verdictsOf(soak).every(({ holds }) => holds);
  if (!isWell) {
    process.exitCode = 1;
    process.stderr.write(
      `Not all holds. Logs are kept in ${scene.folder}; SOAK_SEED=${seed} SOAK_MINUTES=${minutes} does it again.\n`,
    );
  }
} finally {
  await scene.close(!isWell);
}

/** Rejects as the work does, and never resolves. */
async function failureOf(work: Promise<unknown>): Promise<never> {
  await work;
  return new Promise(() => undefined);
}
