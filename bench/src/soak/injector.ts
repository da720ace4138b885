import type { FaultKind } from './fault-kinds.js';
import type { Fault } from './fault-plan.js';
import type { Weather } from './fault-proxy.js';
import type { Scene } from './scene.js';

/** Something that goes wrong and is put right again. */
interface Injection {
  begin(): unknown;
  end(): unknown;
}

const weathers: Partial<Record<FaultKind, Weather>> = {
  latency: { kind: 'latency', ms: 250 },
  throttle: { kind: 'throttle', bytesPerSecond: 20_000 },
  cut: { kind: 'cut' },
  blackHole: { kind: 'blackHole' },
  loss: { kind: 'loss', stalls: 0.1, resets: 0.01 },
};

/** The kinds of faults that this machine cannot have, with what would help. */
export function missingKinds({ postgres, hasClocks }: Scene): ReadonlyMap<FaultKind, string> {
  const missing = new Map<FaultKind, string>();
  if (!postgres.hasSmallDisk) missing.set('fullDisk', 'only root may mount a small disk');
  if (!hasClocks) missing.set('clockStep', 'libfaketime is not here (Debian: faketime)');
  return missing;
}

/** How a fault is done to a scene, and undone. */
export function injectionOf(scene: Scene, { kind, target, byMs }: Fault): Injection {
  const { redis, postgres } = scene;
  const weather = weathers[kind];
  if (weather !== undefined) {
    const proxy = scene.proxy(target);
    return { begin: () => proxy.set(weather), end: () => proxy.clear() };
  }
  const store = target === 'redis' ? redis : postgres;
  const replica = () => scene.replica(target);
  const injections: Partial<Record<FaultKind, Injection>> = {
    kill: { begin: () => replica().kill(), end: () => replica().start() },
    restart: { begin: () => stopInOrder(scene, target), end: () => replica().start() },
    pause: { begin: () => replica().signal('SIGSTOP'), end: () => replica().signal('SIGCONT') },
    storeKill: { begin: () => store.kill(), end: () => store.start() },
    storePause: { begin: () => store.pause(), end: () => store.resume() },
    fullRedis: { begin: () => redis.fill(), end: () => redis.empty() },
    fullDisk: { begin: () => postgres.fillDisk(), end: () => postgres.emptyDisk() },
    noSlots: { begin: () => postgres.takeSlots(), end: () => postgres.giveSlots() },
    clockStep: { begin: () => replica().setClock(byMs ?? 0), end: () => replica().setClock(0) },
  };
  const injection = injections[kind];
  if (injection === undefined) throw new Error(`nobody knows how to do ${kind}`);
  return injection;
}

async function stopInOrder(scene: Scene, name: string): Promise<void> {
  const code = await scene.replica(name).stop();
  if (code !== 0) throw new Error(`${name} ended with ${code} when it was asked to`);
}
