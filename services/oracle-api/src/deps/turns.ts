import type { Spans } from '@mlango/service-kit/tracing';
import { runTimes } from '../agent/fixed-limits.js';
import { measureTurns, TurnTelemetry } from '../agent/telemetry.js';
import { Turns } from '../agent/turns.js';
import { countTokens } from '../agent/usage.js';
import type { Config } from '../config.js';
import { dayMs } from '../limits.js';
import type { ModelCatalog } from '../models/model-catalog.js';
import { wrapModel } from '../models/wrap-model.js';
import type { PluginHost } from '../plugins/host/plugin-host.js';
import { poolLimits } from '../shared-pools.js';
import type { ProcessParts } from './stores.js';

interface OpenTurnsParts extends ProcessParts {
  readonly plugins: PluginHost;
  readonly models: ModelCatalog;
  readonly spans: Spans;
}

/** The turns of this process, counted. */
export function openTurns(
  { runs: config, telemetry }: Pick<Config, 'runs' | 'telemetry'>,
  parts: OpenTurnsParts,
): Turns {
  const { oracle, stores, realtime, plugins, models, metrics, spans, logger, now, newId } = parts;
  const {
    conversations,
    memory,
    summaries,
    runRepository,
    calls,
    paused,
    approvals,
    runs,
    signals,
    usageOutbox,
    retentionMs,
  } = stores;
  const ended = metrics.counter({
    name: 'oracle_turns_total',
    help: 'Ended turns by end status.',
    labelNames: ['status'],
  });
  const tokens = countTokens(metrics);
  const { MESSAGE_RETENTION_DAYS: days } = config;
  return new Turns({
    conversations,
    memory,
    summaries,
    runRepository,
    calls,
    suspended: paused,
    approvals,
    models,
    runs,
    signals,
    listeners: [realtime.turnEvents],
    plugins,
    small: wrapModel(models.small, { count: (model) => tokens.upkeep(model) }),
    meters: plugins.meters,
    usageOutbox,
    gate: plugins.gate,
    ...(days === undefined ? {} : { forgetOld: () => stores.retention.forgetOld(days * dayMs) }),
    oracleName: oracle.name,
    now,
    newId,
    log: logger,
    telemetry: new TurnTelemetry({
      oracle,
      spans,
      measures: measureTurns(metrics),
      captureContent: telemetry.OTEL_CAPTURE_CONTENT,
    }),
    onTurnEnd: (status, took) => {
      ended.inc({ status });
      if (took !== undefined) tokens.answer(took);
    },
    limits: {
      ...runTimes,
      activeTurns: poolLimits.activeTurns,
      turnTimeoutMs: config.TURN_TIMEOUT_SECONDS * 1_000,
      steps: config.TURN_STEPS,
      sameCalls: config.TURN_SAME_CALLS,
      retentionMs,
      onConflict: config.RUN_CONFLICT,
      queue: { ofSession: config.RUN_QUEUE_PER_SESSION, ofUser: config.RUN_QUEUE_PER_USER },
      approvalMs: config.APPROVAL_TTL_HOURS * 3_600_000,
    },
  });
}
