import { countStatements } from '../count-wire.js';
import { type Load, type LoadRequest, load, loadAtPace } from '../load.js';
import { isQuickRun, Pairs, settle } from '../measure.js';
import { type Child, residentMb } from '../process.js';
import { startBareRoutes, startService } from '../services.js';
import type { Stores } from '../stores.js';
import { counted, type Line, type Row, type RowGroup, ratioLine, valueLine } from './row.js';

const menus = { connections: 32, amount: 1500 };
const pace = { perSecond: 500, connections: 200 };
/** In its first 16 s at this pace V8 still compiles: p99 is 45 ms in the first half and 15 ms in the second, then 6 ms. */
const paced = isQuickRun
  ? { warmUpSeconds: 1, floorSeconds: 1, seconds: 1 }
  : { warmUpSeconds: 20, floorSeconds: 3, seconds: 8 };
/** Tail latencies of equal rounds differ more than their CPU. */
const tailAgreement = 0.25;
const accounts = 100;
const goals = { memory: 3.8, stores: 6.6, p99Ms: 8, logInMs: 2, logInStatements: 4, idleMb: 150 };

/** Hops and log-ins of the USSD gateway compared with a bare route. */
export const ussdRows: RowGroup = {
  names: ['memory-ussd', 'hop-memory', 'hop', 'hop-500', 'log-in'],
  open: async ({ stores, placementOf }) => {
    const { DATABASE_URL, REDIS_URL } = stores;
    const inMemory = await startService('ussd-gateway', { DATABASE_URL }, placementOf('hop-memory'));
    const profiled = ['hop-500', 'log-in'].find((row) => placementOf(row).wrapper !== undefined) ?? 'hop';
    const onStores = await startService('ussd-gateway', { DATABASE_URL, REDIS_URL }, placementOf(profiled));
    const bare = await startBareRoutes({ ussd: await learnReplies(onStores) }, placementOf(''));
    const idle = residentMb(onStores.pid);
    const hopRow = (title: string, service: Child, goal: number): Row => ({
      measure: async () => {
        const pairs = await Pairs.play(
          () => loadMenus(service),
          () => loadMenus(bare),
        );
        return [ratioLine(title, `${pairs.cpuUs.toFixed(0)} µs`, pairs.ratio, goal)];
      },
      profile: { service, work: () => loadMenus(service, 10_000) },
    });
    return {
      rows: {
        'memory-ussd': {
          measure: async () => [valueLine('idle memory, USSD gateway', counted(idle), goals.idleMb, { unit: 'MB' })],
        },
        'hop-memory': hopRow('menu hop, sessions in memory', inMemory, goals.memory),
        hop: hopRow('menu hop, Redis and Postgres', onStores, goals.stores),
        'hop-500': {
          measure: () => measurePaced(onStores, bare),
          profile: { service: onStores, work: () => loadPaced(onStores, 20) },
        },
        'log-in': {
          measure: () => measureLogIn(onStores, stores),
          profile: { service: onStores, work: () => loadLogIns(onStores, 200) },
        },
      },
      close: async () => {
        await Promise.all([inMemory.stop(), onStores.stop(), bare.stop()]);
      },
    };
  },
};

/**
 * At a steady pace each request wakes the process, which also costs the bare route more: both figures are compared with the bare
 * route at that pace.
 */
async function measurePaced(onStores: Child, bare: Child): Promise<Line[]> {
  await loadPaced(bare, paced.warmUpSeconds);
  await loadPaced(onStores, paced.warmUpSeconds);
  const settled = await settle(async () => {
    const floor = await loadPaced(bare, paced.floorSeconds);
    const { cpuUs, p99Ms } = await loadPaced(onStores, paced.seconds);
    return { cpuUs, p99Ms, cpuRatio: cpuUs / floor.cpuUs, p99Ratio: p99Ms / floor.p99Ms };
  }, tailAgreement);
  const title = `hops at ${pace.perSecond} a second`;
  const p99 = valueLine(`${title}, p99`, settled.p99Ms, goals.p99Ms, { unit: 'ms', digits: 1 });
  const cpu = ratioLine(`${title}, CPU`, `${settled.cpuUs.figure.toFixed(0)} µs`, settled.cpuRatio, goals.stores);
  return [{ ...p99, ratio: settled.p99Ratio.figure }, cpu];
}

async function measureLogIn(onStores: Child, { DATABASE_URL, REDIS_URL }: Stores): Promise<Line[]> {
  await loadLogIns(onStores, accounts);
  const { cpuUs } = await settle(async () => ({ cpuUs: (await loadLogIns(onStores, accounts)).cpuUs }));
  const statements = await countStatements(DATABASE_URL);
  const observed = await startService('ussd-gateway', { REDIS_URL, DATABASE_URL: statements.url });
  try {
    await loadLogIns(observed, accounts, () => void statements.take());
    const each = statements.take().length / accounts;
    const cpuMs = { ...cpuUs, figure: cpuUs.figure / 1000 };
    return [
      valueLine('log-in with a PIN, CPU', cpuMs, goals.logInMs, { unit: 'ms', digits: 2 }),
      valueLine('log-in with a PIN, SQL', counted(each), goals.logInStatements, { unit: 'statements', digits: 1 }),
    ];
  } finally {
    await observed.stop();
    statements.close();
  }
}

/** Texts of one session through the menus: dial, two screens on, one back, and out. */
const menuTexts = ['', '1', '1*2', '1*2*0', '1*2*0**'] as const;
let sessions = 0;

const isScreen = (body: string) => /^(?:CON|END) (?!Service|Too many|Invalid input)/.test(body);

function hop(session: number, text: string): LoadRequest {
  const phoneNumber = `+26${1_000_000_000 + session}`;
  const body = JSON.stringify({ sessionId: `bench-${session}`, serviceCode: '*384#', phoneNumber, text });
  return { path: '/api/ussd', body };
}

/** Hops of one caller: session after session, each with a new id and phone. */
function* menuHops(): Generator<LoadRequest, never> {
  for (;;) {
    const session = ++sessions;
    for (const text of menuTexts) yield hop(session, text);
  }
}

function loadMenus(target: Child, amount = menus.amount): Promise<Load> {
  return load(target, { connections: menus.connections, amount, requestsOf: menuHops, isExpected: isScreen });
}

function loadPaced(target: Child, seconds: number): Promise<Load> {
  return loadAtPace(target, { ...pace, seconds, requestsOf: menuHops });
}

/**
 * Creates accounts, then logs in to each; the load that is returned is that of the hops that check the PIN.
 *
 * @param onPins called before these hops
 */
async function loadLogIns(target: Child, count: number, onPins: () => void = () => {}): Promise<Load> {
  const numbers = Array.from({ length: count }, () => ++sessions);
  const walk = (requests: readonly LoadRequest[]) => {
    const queue = requests.values();
    return load(target, {
      connections: 8,
      amount: count,
      requestsOf: () => queue as Iterator<LoadRequest>,
      isExpected: isScreen,
    });
  };
  const created = '2*2*Amina*00*90210*90210';
  for (const text of ['', '2', '2*2', '2*2*Amina', '2*2*Amina*00', '2*2*Amina*00*90210'])
    await walk(numbers.map((number) => hop(number, text)));
  const customers: { session: number; id: string }[] = [];
  for (const number of numbers) {
    const id = /C[0-9A-Z]{8}/.exec(await screen(target, hop(number, created)))?.[0];
    if (id === undefined) throw new Error('an account has no customer ID');
    customers.push({ session: ++sessions, id });
  }
  const steps: ((id: string) => string)[] = [() => '', () => '2', () => '2*1', (id) => `2*1*${id}`];
  for (const textOf of steps) await walk(customers.map(({ session, id }) => hop(session, textOf(id))));
  onPins();
  return walk(customers.map(({ session, id }) => hop(session, `2*1*${id}*90210`)));
}

async function screen(target: Child, { path, body = '' }: LoadRequest): Promise<string> {
  const reply = await fetch(`${target.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return reply.text();
}

/** The screens of the menus, for the bare route. */
async function learnReplies(service: Child): Promise<Record<string, string>> {
  const session = ++sessions;
  const replies: Record<string, string> = {};
  for (const text of menuTexts) replies[text] = await screen(service, hop(session, text));
  return replies;
}
