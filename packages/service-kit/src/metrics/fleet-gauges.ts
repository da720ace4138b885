import type { Logger } from '../logging/index.js';
import type { Metrics } from './metrics.js';

export interface FleetGauges<Row, Label extends string> {
  /** Figures of a shared store, alike at whichever replica they are read. */
  readonly read: () => Promise<readonly Row[]>;
  /** What tells one row from another. */
  readonly labelNames: readonly Label[];
  readonly labelsOf: (row: Row) => Record<Label, string>;
  readonly gauges: readonly {
    readonly name: string;
    readonly help: string;
    /** Undefined where there is nothing to tell. */
    readonly of: (row: Row) => number | undefined;
  }[];
  readonly logger: Logger;
}

/** However often and by however many they are scraped. */
const freshMs = 10_000;

/**
 * Gauges of what all replicas share, from one read. Each replica tells the same figure, which a sum over replicas would take as often as there
 * are some: so they have the label `scope="fleet"` and are to be read with `max`. Absent while the store cannot be read.
 */
export function fleetGauges<Row, Label extends string>(
  metrics: Pick<Metrics, 'gauge'>,
  { read, labelNames, labelsOf, gauges, logger }: FleetGauges<Row, Label>,
): void {
  let latest: { readonly atMs: number; readonly rows: Promise<readonly Row[]> } | undefined;
  const rows = (): Promise<readonly Row[]> => {
    const now = performance.now();
    if (latest === undefined || now - latest.atMs > freshMs) {
      const told = gauges.map(({ name }) => name);
      const found = read().catch((error: unknown) => {
        logger.debug({ err: error, gauges: told }, 'no figures for the metrics');
        return [];
      });
      latest = { atMs: now, rows: found };
    }
    return latest.rows;
  };
  for (const { name, help, of } of gauges) {
    metrics.gauge<Label | 'scope'>({
      name,
      help,
      labelNames: [...labelNames, 'scope'],
      async collect() {
        const found = await rows();
        this.reset();
        for (const row of found) {
          const value = of(row);
          if (value !== undefined) this.set({ ...labelsOf(row), scope: 'fleet' }, value);
        }
      },
    });
  }
}
