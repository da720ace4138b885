import { setTimeout as sleep } from 'node:timers/promises';

/** Largest difference of agreeing figures, as a part of the smallest. */
const tolerance = 0.1;
const isQuick = process.env['BENCH_QUICK'] === '1';
/** A quick run only shows that each row works. */
const limits = isQuick
  ? { restMs: 0, warmUpPairs: 1, pairs: 2, pairsMs: 10_000, rounds: 2 }
  : { restMs: 5000, warmUpPairs: 4, pairs: 28, pairsMs: 40_000, rounds: 8 };
/** With fewer figures no confidence interval of the median is reported. */
const fewestFigures = 9;
/** Quantile of the normal distribution for 19 times in 20. */
const confidence = 1.96;

export interface Settled {
  readonly figure: number;
  /** Whether the figure is known to a tenth. */
  readonly isSettled: boolean;
}

/** Whether this run only shows that each row works: its figures have no meaning. */
export const isQuickRun: boolean = isQuick;

/** Rest after each start and before each row, so that the work of the start and of the row before is not measured with it. */
export function rest(): Promise<void> {
  return sleep(limits.restMs);
}

/** Median, and whether its 95 % confidence interval (sign test) is narrower than a tenth. */
export function median(figures: readonly number[]): Settled {
  const sorted = figures.toSorted((one, other) => one - other);
  const count = sorted.length;
  const rank = Math.max(0, Math.floor((count - confidence * Math.sqrt(count)) / 2));
  const [low = 0, high = 0] = [sorted[rank], sorted[count - 1 - rank]];
  return { figure: sorted[count >> 1] ?? 0, isSettled: count >= fewestFigures && high <= low * (1 + tolerance) };
}

interface Slice {
  readonly cpuUs: number;
}

interface Pair<Service, Floor> {
  readonly service: Service;
  readonly floor: Floor;
}

/** Slices of a service and of its floor, measured alternately so that other load on the machine affects both alike. */
export class Pairs<Service extends Slice, Floor extends Slice = Service> {
  readonly #pairs: Pair<Service, Floor>[] = [];

  /** Measures pairs until the median of their ratios settles, or the limit of pairs or time is reached. The first pairs warm up. */
  static async play<Service extends Slice, Floor extends Slice>(
    service: () => Promise<Service>,
    floor: () => Promise<Floor>,
    nowMs = () => performance.now(),
  ): Promise<Pairs<Service, Floor>> {
    const pairs = new Pairs<Service, Floor>();
    const endMs = nowMs() + limits.pairsMs;
    for (let index = 0; index < limits.warmUpPairs + limits.pairs; index++) {
      if (pairs.ratio.isSettled || (index > limits.warmUpPairs && nowMs() > endMs)) break;
      const pair =
        index % 2 === 0 ? { service: await service(), floor: await floor() } : await floorFirst(service, floor);
      if (index >= limits.warmUpPairs) pairs.#pairs.push(pair);
    }
    return pairs;
  }

  /** CPU of the service divided by CPU of the floor. */
  get ratio(): Settled {
    return this.median(({ service, floor }) => service.cpuUs / floor.cpuUs);
  }

  get cpuUs(): number {
    return this.median(({ service }) => service.cpuUs).figure;
  }

  median(figureOf: (pair: Pair<Service, Floor>) => number): Settled {
    return median(this.#pairs.map(figureOf));
  }
}

async function floorFirst<Service, Floor>(
  service: () => Promise<Service>,
  floor: () => Promise<Floor>,
): Promise<Pair<Service, Floor>> {
  const first = await floor();
  return { service: await service(), floor: first };
}

/**
 * Repeats a round until the last three agree in every figure, at most eight times.
 *
 * @param agreement largest difference of agreeing figures, as a part of the smallest
 * @returns of each figure the median of the last three rounds, and whether these three agreed in it
 */
export async function settle<Name extends string>(
  round: () => Promise<Readonly<Record<Name, number>>>,
  agreement = tolerance,
): Promise<Readonly<Record<Name, Settled>>> {
  const rounds: Readonly<Record<Name, number>>[] = [];
  for (;;) {
    rounds.push(await round());
    const last = rounds.slice(-3);
    const settled = Object.fromEntries(
      (Object.keys(last[0] ?? {}) as Name[]).map((name) => [
        name,
        middleOf(
          last.map((each) => each[name]),
          agreement,
        ),
      ]),
    ) as Record<Name, Settled>;
    const isDone = last.length === 3 && Object.values<Settled>(settled).every(({ isSettled }) => isSettled);
    if (isDone || rounds.length >= limits.rounds) return settled;
  }
}

function middleOf(figures: readonly number[], agreement: number): Settled {
  const sorted = figures.toSorted((one, other) => one - other);
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  return {
    figure: sorted[sorted.length >> 1] ?? 0,
    isSettled: figures.length === 3 && most <= least * (1 + agreement),
  };
}
