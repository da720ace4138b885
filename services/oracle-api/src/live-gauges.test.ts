import { createMetrics } from '@mlango/service-kit/metrics';
import { describe, expect, it } from 'vitest';
import { liveGauges } from './live-gauges.js';

describe('the gauges of what is under way', () => {
  it('are read at the moment they are asked for', async () => {
    const metrics = createMetrics({ service: 'oracle-api', version: '0' });
    const turns = { running: 2 };
    liveGauges(metrics, { turns, streams: { size: 3 }, hub: { stats: { totalConnections: 4 } } });
    turns.running = 5;
    const text = await metrics.registry.metrics();
    expect(text).toContain('oracle_turns_running{service="oracle-api"} 5');
    expect(text).toContain('oracle_streams_open{service="oracle-api"} 3');
    expect(text).toContain('oracle_sockets_open{service="oracle-api"} 4');
  });
});
