import type { Child, Placement } from '../child-process.js';
import { type QueryName, startQueryScene } from '../goals/query-scene.js';
import { type Stores, startService } from '../goals/start-service.js';
import { askAll, sessionsOf, startOracle } from '../goals/turn-scene.js';
import { loadMenus } from '../ussd-load.js';
import { measureLogIns } from '../ussd-pins.js';

/** A service, and a piece of work for it that is long enough to be worth a look. */
export interface Profiled {
  readonly service: Child;
  work(): Promise<unknown>;
  stop(): Promise<unknown>;
}

type Start = (stores: Stores, placement: Placement) => Promise<Profiled>;

/** Rows by the names that a profile is asked for with. */
export const profiledRows: Readonly<Record<string, Start>> = {
  params: queries('params'),
  entity: queries('entity'),
  claims: queries('claims'),
  'hop-memory': hops(({ DATABASE_URL }) => ({ DATABASE_URL })),
  hop: hops((stores) => ({ ...stores })),
  'log-in': async (stores, placement) => {
    const service = await startService('ussd-gateway', { ...stores }, placement);
    return { service, work: () => measureLogIns(service, 200), stop: () => service.stop() };
  },
  turn: turns(1, 10),
  frame: turns(60, 1),
};

function queries(name: QueryName): Start {
  return async (_stores, placement) => {
    const { gateway, ask, stop } = await startQueryScene(placement);
    return { service: gateway, work: () => ask(name, 16), stop };
  };
}

function hops(storesOf: (stores: Stores) => Record<string, string>): Start {
  return async (stores, placement) => {
    const service = await startService('ussd-gateway', storesOf(stores), placement);
    return { service, work: () => loadMenus(service, { phones: 32, hops: 10_000 }), stop: () => service.stop() };
  };
}

function turns(words: number, times: number): Start {
  return async (stores, placement) => {
    const service = await startOracle(stores, placement);
    const sessions = await sessionsOf(service, 100);
    const work = async () => {
      for (let time = 0; time < times; time++) await askAll(service, sessions, words);
    };
    return { service, work, stop: () => service.stop() };
  };
}
