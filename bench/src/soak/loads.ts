import { Askers } from './askers.js';
import { Door } from './door.js';
import { Luck } from './luck.js';
import { OracleUser } from './oracle-user.js';
import { Payers } from './payers.js';
import { Queriers } from './queriers.js';
import { operatorToken, type Scene } from './scene.js';
import type { Sky } from './sky.js';
import { Subscribers } from './subscribers.js';
import type { Tally } from './tally.js';
import { Watcher } from './watchers.js';

/** How many of each there are at one time; few enough that a busy machine of two cores keeps up. */
const atOnce = { subscribers: 3, payers: 4, askers: 6, queriers: 2, watchers: 3 };
const tokensPaid = 1_000_000_000;
/** How mobile money behaves, one after the other. */
const ways = ['confirm', 'atOnce', 'refuse', 'never', 'late', 'twice', 'payAndHang', 'payAndGarble', 'failFirst'];
const wayMs = 5000;

export interface Loads {
  readonly subscribers: Subscribers;
  readonly payers: Payers;
  readonly askers: Askers;
  readonly watchers: readonly Watcher[];
  /** Resolves when all have ended what they were at, once the soak is over. */
  readonly ended: Promise<unknown>;
}

/** Everybody who uses the three services, until the soak is over. */
export async function startLoads(scene: Scene, sky: Sky, tally: Tally, seed: number): Promise<Loads> {
  const luck = new Luck(seed + 1);
  const door = (service: 'ussd' | 'oracle' | 'gateway') =>
    new Door(service, scene.doorOf(service), new Luck(luck.between(0, 2 ** 31)), tally);
  const times = (count: number, run: (index: number) => Promise<void>) =>
    Array.from({ length: count }, (_, index) => run(index));
  const [subscribers, payers, askers, queriers] = [new Subscribers(), new Payers(), new Askers(), new Queriers()];
  const watchers = Array.from({ length: atOnce.watchers }, () => new Watcher());
  const users = Array.from({ length: atOnce.askers }, (_, index) => new OracleUser(index + 1));
  await Promise.all(users.map((user, index) => topUp(door('oracle'), user, index)));
  const all = [
    ...times(atOnce.subscribers, () => subscribers.run(door('ussd'), sky)),
    ...times(atOnce.payers, () => payers.run(door('ussd'), sky)),
    ...users.map((user) => askers.run(user, door('oracle'), sky)),
    ...times(atOnce.queriers, () => queriers.run(door('gateway'), sky)),
    ...watchers.map((watcher) => watcher.run(door('gateway'), sky)),
  ];
  const changing = setInterval(() => void chooseWay(scene, luck.pick(ways)), wayMs);
  const ended = Promise.all(all).finally(() => clearInterval(changing));
  return { subscribers, payers, askers, watchers, ended: ended };
}

async function topUp(door: Door, user: OracleUser, index: number): Promise<void> {
  const body = JSON.stringify({ topUpId: `soak-${index}`, did: user.did, tokens: tokensPaid });
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' };
  const answer = await door.served('/credits/top-ups', () => ({ method: 'POST', headers, body }));
  if (answer?.status !== 200) throw new Error(`credits cannot be paid: ${answer?.status} ${answer?.body}`);
}

/** One that is missed is no matter: it goes on as it did. */
async function chooseWay({ money }: Scene, way: string): Promise<void> {
  await fetch(`${money.url}/ways/${way}`, { method: 'PUT' }).then(
    (reply) => reply.text(),
    () => undefined,
  );
}
