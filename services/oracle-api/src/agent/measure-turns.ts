import type { Metrics } from '@mlango/service-kit/metrics';
import type { TurnMeasures } from './turn-telemetry.js';

/** Seconds that turns, models and tools take, from the fast to those that somebody has to look at. */
const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60];

/** Measures of turns, models and tools as metrics of this process. */
export function measureTurns(metrics: Pick<Metrics, 'counter' | 'histogram'>): TurnMeasures {
  const firstToken = metrics.histogram({
    name: 'oracle_model_first_token_seconds',
    help: 'Time from a request to a model to the first part of its answer.',
    labelNames: ['model'],
    buckets,
  });
  const requests = metrics.histogram({
    name: 'oracle_model_request_seconds',
    help: 'Time from a request to a model to the end of its answer, or its failure.',
    labelNames: ['model'],
    buckets,
  });
  const turns = metrics.histogram({
    name: 'oracle_turn_seconds',
    help: 'Time that turns take, from their beginning to their last word, by how they ended.',
    labelNames: ['status'],
    buckets,
  });
  const steps = metrics.counter({
    name: 'oracle_model_requests_total',
    help: 'Requests to models for answers, by how they ended: answered, stopped, or the kind of failure.',
    labelNames: ['model', 'outcome'],
  });
  const fallbacks = metrics.counter({
    name: 'oracle_model_fallbacks_total',
    help: 'Models that failed before their first token, by kind of failure and the model that answered instead.',
    labelNames: ['model', 'kind', 'answered_by'],
  });
  const tools = metrics.histogram({
    name: 'oracle_tool_seconds',
    help: 'Time of calls of tools, by plugin and how they ended.',
    labelNames: ['plugin', 'outcome'],
    buckets,
  });
  return {
    firstToken: (model, seconds) => firstToken.observe({ model }, seconds),
    step: (model, outcome, seconds) => {
      steps.inc({ model, outcome });
      requests.observe({ model }, seconds);
    },
    fallback: (model, kind, answeredBy) => fallbacks.inc({ model, kind, answered_by: answeredBy }),
    turn: (status, seconds) => turns.observe({ status }, seconds),
    tool: (plugin, outcome, seconds) => tools.observe({ plugin, outcome }, seconds),
  };
}
