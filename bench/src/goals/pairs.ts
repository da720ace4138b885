import { type Middle, middleOf } from './middle.js';

/** What a service and its bare route came to, one right after the other. */
export interface Pair<Service, Bare> {
  readonly service: Service;
  readonly bare: Bare;
}

interface Slice {
  readonly cpuUs: number;
}

const warmUps = 4;
const mostPairs = 28;
/** On a machine that is busy with other things a slice takes long. */
const mostMs = 40_000;

/** Slices of work that a service and its bare route do in turn. */
export class Pairs<Service extends Slice, Bare extends Slice = Service> {
  readonly #pairs: Pair<Service, Bare>[] = [];

  /**
   * Plays short slices, so that whatever else the machine does troubles both alike, until the middle of their ratios is known to a
   * tenth, there were as many as there may be, or time is up. The first few are for code to be compiled and caches to be filled.
   */
  static async play<Service extends Slice, Bare extends Slice>(
    service: () => Promise<Service>,
    bare: () => Promise<Bare>,
    nowMs = () => performance.now(),
  ): Promise<Pairs<Service, Bare>> {
    const pairs = new Pairs<Service, Bare>();
    const endMs = nowMs() + mostMs;
    for (let index = 0; index < warmUps + mostPairs; index++) {
      if (pairs.ratio.isSettled || (index > warmUps && nowMs() > endMs)) break;
      // Who goes first takes turns too.
      const pair = index % 2 === 0 ? { service: await service(), bare: await bare() } : await bareFirst(service, bare);
      if (index >= warmUps) pairs.#pairs.push(pair);
    }
    return pairs;
  }

  /** CPU of the service beside that of its bare route. */
  get ratio(): Middle {
    return this.middle(({ service, bare }) => service.cpuUs / bare.cpuUs);
  }

  /** CPU of the service. */
  get cpuUs(): number {
    return this.middle(({ service }) => service.cpuUs).figure;
  }

  middle(figureOf: (pair: Pair<Service, Bare>) => number): Middle {
    return middleOf(this.#pairs.map(figureOf));
  }
}

async function bareFirst<Service, Bare>(
  service: () => Promise<Service>,
  bare: () => Promise<Bare>,
): Promise<Pair<Service, Bare>> {
  const first = await bare();
  return { service: await service(), bare: first };
}
