import type { Logger } from '../logging/index.js';
import type { Metrics } from './metrics.js';

export interface FleetGauges<Row, Label extends string> {
  /** Reads values from a shared store, the same at every replica. */
  readonly read: () => Promise<readonly Row[]>;
  /** Labels that identify a row. */
  readonly labelNames: readonly Label[];
  readonly labelsOf: (row: Row) => Record<Label, string>;
  readonly gauges: readonly {
    readonly name: string;
    readonly help: string;
    /** Undefined: no sample. */
    readonly of: (row: Row) => number | undefined;
  }[];
  readonly logger: Logger;
}

/** At most one read in this time, in ms. */
const freshMs = 10_000;

/**
 * Gauges of a shared store, from one read. Every replica reports the same value, so the label `scope="fleet"` marks them for
 * `max` instead of `sum` in dashboards. Absent while the store cannot be read.
 */
export function fleetGauges<Row, Label extends string>(
  metrics: Pick<Metrics, 'gauge'>,
  { read, labelNames, labelsOf, gauges, logger }: FleetGauges<Row, Label>,
): void {
  let latest: { readonly atMs: number; readonly rows: Promise<readonly Row[]> } | undefined;
  const rows = (): Promise<readonly Row[]> => {
    const now = performance.now();
    if (latest === undefined || now - latest.atMs > freshMs) {
      const names = gauges.map(({ name }) => name);
      const found = read().catch((error: unknown) => {
        logger.debug({ err: error, gauges: names }, 'reading fleet metrics failed');
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
