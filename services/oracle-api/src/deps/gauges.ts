import { fleetGauges } from '@mlango/service-kit/fleet-gauges';
import type { Logger } from '@mlango/service-kit/logging';
import type { Metrics } from '@mlango/service-kit/metrics';
import { readGauge } from '@mlango/service-kit/metrics';
import type { PluginHost } from '../plugins/host/plugin-host.js';
import type { RunRepository } from '../runs/run-repository.js';
import type { TableSizes } from '../store/storage-limits.js';

interface Live {
  readonly turns: { readonly running: number };
  readonly streams: { readonly size: number };
  readonly hub: { readonly stats: { readonly totalConnections: number } };
}

/** Gauges of this process; the sum over replicas is the fleet's total. */
export function liveGauges(metrics: Pick<Metrics, 'gauge'>, { turns, streams, hub }: Live): void {
  const turnsRun = 'Turns running on this replica, including their final writes.';
  readGauge(metrics, 'oracle_turns_running', turnsRun, () => turns.running);
  const streamsRead = 'Open answer streams on this replica.';
  readGauge(metrics, 'oracle_streams_open', streamsRead, () => streams.size);
  const sockets = 'Open Socket.IO and WebSocket connections on this replica.';
  readGauge(metrics, 'oracle_sockets_open', sockets, () => hub.stats.totalConnections);
}

/** States of unfinished runs. */
const states = ['queued', 'running', 'recovering', 'waiting'] as const;

/** Gauges that plugins declare. */
export function pluginGauges(metrics: Metrics, figures: PluginHost['figures'], logger: Logger): void {
  for (const { plugin, name, help, read } of figures) {
    fleetGauges(metrics, {
      read: async () => Object.entries(await read()),
      labelNames: ['state'],
      labelsOf: ([state]) => ({ state }),
      gauges: [{ name: `oracle_${plugin.replaceAll('-', '_')}_${name}`, help, of: ([, value]) => value }],
      logger,
    });
  }
}

/** Sizes of the tables and their limit. */
export function tableGauges(metrics: Metrics, tables: Pick<TableSizes, 'read' | 'ceilingBytes'>, logger: Logger): void {
  fleetGauges(metrics, {
    read: () => tables.read(),
    labelNames: ['table'],
    labelsOf: ({ table }) => ({ table }),
    gauges: [
      {
        name: 'oracle_table_bytes',
        help: 'Size of a table in bytes, with its indexes and its values stored outside rows.',
        of: ({ bytes }) => bytes,
      },
      { name: 'oracle_table_rows', help: 'Rows of a table, estimated by the database.', of: ({ rows }) => rows },
      {
        name: 'oracle_table_ceiling_bytes',
        help: 'Storage limit of a table in bytes: STORAGE_BYTES_PER_TABLE.',
        of: () => tables.ceilingBytes,
      },
    ],
    logger,
  });
}

/** Unfinished runs of all replicas, from the database. */
export function runGauges(
  metrics: Metrics,
  runRepository: Pick<RunRepository, 'countUnfinished'>,
  logger: Logger,
): void {
  fleetGauges(metrics, {
    read: async () => {
      const found = await runRepository.countUnfinished();
      return states.map((status) => found.find((row) => row.status === status) ?? { status, count: 0, oldestMs: 0 });
    },
    labelNames: ['state'],
    labelsOf: ({ status: state }) => ({ state }),
    gauges: [
      {
        name: 'oracle_runs',
        help: 'Runs by state: queued behind another run of the session, running, recovering after a process crash, waiting for the user.',
        of: ({ count }) => count,
      },
      {
        name: 'oracle_runs_oldest_seconds',
        help: 'Age of the oldest run of a state.',
        of: ({ oldestMs }) => oldestMs / 1000,
      },
    ],
    logger,
  });
}
