/**
 * Runs two replicas of each service behind nginx, with Redis, a sentinel and Postgres, kills, restarts, freezes and failovers by a plan, and
 * compares the replies to callers with the stored data. Exit code 1 if anything is lost, doubled or left over. SOAK_MINUTES (10),
 * SOAK_SEED (1).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Restartable, residentMb } from '../process.js';
import { printTable } from '../table.js';
import { Callers, type Reported } from './callers.js';
import { openScene, type Scene } from './scene.js';

const { SOAK_MINUTES = '10', SOAK_SEED = '1' } = process.env;
const [minutes, seed] = [Number(SOAK_MINUTES), Number(SOAK_SEED)];
if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error('SOAK_MINUTES is a number, SOAK_SEED a whole number');
const [mostGrowthMb, settleMs, sampleMs] = [80, 120_000, 5000];

const scene = await openScene();
const endMs = performance.now() + minutes * 60_000;
const callers = new Callers(scene, () => performance.now() > endMs);
const memory = new Map<string, number[]>();
const sampling = setInterval(() => {
  for (const [, { name, pid, hasEnded }] of Object.values(scene.replicas))
    if (!hasEnded) memory.set(name, [...(memory.get(name) ?? []), residentMb(pid)]);
}, sampleMs);
let isSound = false;
const interruption = new AbortController();
let injecting = Promise.resolve(0);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    interruption.abort();
    // The running fault ends first: it may start a process, which `close` then stops.
    const closing = injecting.catch(() => {}).then(() => scene.close(true));
    void closing.finally(() => process.exit(130));
  });
try {
  process.stdout.write(`seed ${seed}, ${minutes} minutes; logs in ${scene.folder}\n`);
  injecting = inject(scene, interruption.signal);
  const [, faults] = await Promise.all([callers.run(), injecting]);
  clearInterval(sampling);
  const findings = [await leftovers(scene), ...(await comparisons(scene, callers.reported)), growth(memory)];
  const { accounts, payments, turns, queries, retries, longestWaitMs } = callers.reported;
  const done = { accounts: accounts.size, payments: payments.size, turns: turns.size, queries, faults, retries };
  process.stdout.write(`\n${JSON.stringify({ ...done, longestWaitMs: Math.round(longestWaitMs) })}\n\n`);
  printTable(
    ['check', '', 'figures'],
    findings.map(({ check, holds, figures }) => [check, holds ? 'holds' : 'FAILS', figures]),
  );
  isSound = findings.every(({ holds }) => holds);
} finally {
  clearInterval(sampling);
  await scene.close(!isSound);
}
if (!isSound) process.exitCode = 1;

/** Faults one at a time with calm between them, each kind once before any repeats, until an interruption. Returns how many. */
async function inject({ replicas, redis, postgres, node }: Scene, interrupted: AbortSignal): Promise<number> {
  const pause = (ms: number) => sleep(ms, undefined, { signal: interrupted }).catch(() => {});
  const random = randomOf(seed);
  const freeze = (target: { signal(name: NodeJS.Signals): void }) => ({
    begin: async () => target.signal('SIGSTOP'),
    end: async () => target.signal('SIGCONT'),
  });
  const onPrimary = (begin: (primary: Restartable) => unknown, end: (primary: Restartable) => unknown) => {
    let target: Restartable | undefined;
    return {
      begin: async () => {
        target = await redis.primary();
        await begin(target);
      },
      end: async () => target && end(target),
    };
  };
  const faults = [
    ...Object.values(replicas).flatMap(([first]) => [
      { name: `kill ${first.name}`, begin: () => first.stop('SIGKILL'), end: () => first.start() },
      { name: `restart ${first.name}`, begin: () => first.stop(), end: () => first.start() },
      { name: `freeze ${first.name}`, ...freeze(first) },
    ]),
    {
      name: 'kill the Redis primary',
      ...onPrimary(
        (primary) => primary.stop('SIGKILL'),
        (primary) => primary.start(),
      ),
    },
    {
      name: 'freeze the Redis primary',
      ...onPrimary(
        (primary) => primary.signal('SIGSTOP'),
        (primary) => primary.signal('SIGCONT'),
      ),
    },
    { name: 'fail Redis over', begin: () => redis.failOver(), end: async () => undefined },
    { name: 'fill Redis', begin: () => redis.setMemoryLimit('1mb'), end: () => redis.setMemoryLimit('0') },
    // SIGQUIT ends all its processes at once without a checkpoint: the next start recovers from the log.
    { name: 'kill Postgres', begin: () => postgres.stop('SIGQUIT'), end: () => postgres.start() },
    { name: 'freeze the node', ...freeze({ signal: (name) => process.kill(node.pid, name) }) },
  ];
  let count = 0;
  let left: typeof faults = [];
  for (;;) {
    const [calmMs, faultMs] = [4000 + random() * 8000, 1000 + random() * 9000];
    if (performance.now() + calmMs + faultMs + 10_000 > endMs) return count;
    if (left.length === 0) left = [...faults];
    const [fault] = left.splice(Math.floor(random() * left.length), 1);
    await pause(calmMs);
    if (interrupted.aborted) return count;
    process.stdout.write(`${((performance.now() - (endMs - minutes * 60_000)) / 1000).toFixed(0)} s: ${fault?.name}\n`);
    await fault?.begin();
    await pause(faultMs);
    await fault?.end();
    count += 1;
  }
}

/** The same choices for the same seed (a linear congruential generator). */
function randomOf(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Waits until no run, usage report or effect is open. */
async function leftovers({ sql }: Scene) {
  const startedMs = performance.now();
  for (;;) {
    const [oracle] = await sql('oracle')<{ count: number }[]>`
      select ((select count(*) from runs where ended_at is null) + (select count(*) from untold_usage))::int as count`;
    const [ussd] = await sql('ussd')<{ count: number }[]>`
      select count(*)::int from effect_intents where ended_at is null`;
    const open = (oracle?.count ?? 0) + (ussd?.count ?? 0);
    const tookMs = performance.now() - startedMs;
    if (open > 0 && tookMs < settleMs) await sleep(500);
    else
      return {
        check: 'nothing is left open',
        holds: open === 0,
        figures: `${open} after ${(tookMs / 1000).toFixed(0)} s`,
      };
  }
}

/** Compares the replies to callers with the stored data: each once, and equal. */
async function comparisons({ sql, money }: Scene, reported: Reported) {
  const accounts = await sql('ussd')<{ id: string; phone: string }[]>`select id, phone from customers`;
  const payments = (await (await fetch(`${money.url}/payments`)).json()) as {
    phone: string;
    status: string;
    receipt: string;
  }[];
  const runs = await sql('oracle')<{ requestId: string; status: string; content: string | null; claimed: boolean }[]>`
    select runs.request_id as "requestId", runs.status, messages.content,
      exists (select 1 from credit_claims where claim_id = runs.run_id) as claimed
    from runs left join messages on messages.session_id = runs.session_id and messages.message_id = runs.request_id`;
  const [questions] = await sql('oracle')<{ count: number }[]>`select count(*)::int from messages where type = 'human'`;
  const [credits] = await sql('oracle')<
    Record<'paid' | 'left' | 'settled' | 'owed' | 'open' | 'held' | 'holds', number>[]
  >`
    select (select sum(tokens) from credit_top_ups)::float8 as paid, sum(balance)::float8 as left, sum(owed)::float8 as owed,
      sum(held)::float8 as held, (select coalesce(sum(tokens), 0) from credit_holds)::float8 as holds,
      (select coalesce(sum(tokens), 0) from credit_claims where settled_at is null)::float8 as open,
      (select coalesce(sum(tokens), 0) from credit_claims where settled_at is not null)::float8 as settled
    from credit_accounts`;
  // A failed turn with an answer that could not be stored was reported as such.
  const isReported = ({ status, content }: (typeof runs)[number], turn: { status: string; text: string } | undefined) =>
    turn?.status === status && (turn.text === content || (status === 'failed' && content === null));
  const free = runs.filter(({ status, claimed }) => status === 'finished' && !claimed).length;
  const { paid, left, settled, owed, open, held, holds } = credits ?? {};
  const addsUp = paid === (left ?? 0) + (settled ?? 0) && owed === open && held === holds;
  return [
    {
      check: 'every caller was served rightly',
      holds: reported.faults.length === 0,
      figures: reported.faults.slice(0, 5).join('; '),
    },
    compare(
      'accounts',
      reported.accounts,
      accounts,
      ({ phone }) => phone,
      ({ id }, confirmed) => id === confirmed,
    ),
    compare(
      'payments',
      reported.payments,
      payments,
      ({ phone }) => phone,
      ({ phone, status, receipt }, confirmed) =>
        status === 'refused' ? reported.payments.has(phone) : receipt === confirmed,
    ),
    compare('turns and answers', reported.turns, runs, ({ requestId }) => requestId, isReported),
    {
      check: 'messages: none lost, none doubled',
      holds: questions?.count === reported.turns.size,
      figures: `${reported.turns.size} reported, ${questions?.count} stored`,
    },
    {
      check: 'credits add up, each finished turn is charged',
      holds: addsUp && free === 0,
      figures: `${paid} paid = ${left} left + ${settled} settled; ${owed} owed of ${open} claimed; ${free} turns not charged`,
    },
  ];
}

/** Names up to three stored items that differ from what was reported under their key. */
function compare<Item, Value>(
  what: string,
  reported: ReadonlyMap<string, Value>,
  stored: readonly Item[],
  keyOf: (item: Item) => string,
  isReported: (item: Item, reported: Value | undefined) => boolean,
) {
  const wrong = stored.filter((item) => !isReported(item, reported.get(keyOf(item))));
  const [lost, extra] = [reported.size - (stored.length - wrong.length), wrong.length];
  const examples = wrong
    .slice(0, 3)
    .map((item) => JSON.stringify({ ...item, reported: reported.get(keyOf(item)) ?? null }));
  const figures = `${reported.size} reported, ${stored.length} stored, ${lost} lost or wrong, ${extra} doubled or not reported`;
  return {
    check: `${what}: none lost, none doubled`,
    holds: lost === 0 && extra === 0,
    figures: [figures, ...examples].join('; '),
  };
}

/** Memory of the second replicas, which are never stopped, from the middle of the soak to its end. */
function growth(samples: ReadonlyMap<string, readonly number[]>) {
  const grown = [...samples].map(([name, all]) => {
    const middle = Math.max(...all.slice(Math.floor(all.length * 0.4), Math.ceil(all.length * 0.6)));
    return { name, middle, end: Math.max(...all.slice(-Math.ceil(all.length * 0.2))) };
  });
  const holds = grown.length === 3 && grown.every(({ middle, end }) => end - middle <= mostGrowthMb);
  return {
    check: 'memory is level',
    holds,
    figures: grown.map(({ name, middle, end }) => `${name} ${middle} to ${end} MB`).join(', '),
  };
}
