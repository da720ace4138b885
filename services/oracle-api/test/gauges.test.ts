import { createLogger } from '@mlango/service-kit/logging';
import { createMetrics } from '@mlango/service-kit/metrics';
import { describe, expect, it } from 'vitest';
import { liveGauges, pluginGauges, runGauges } from '../src/deps/gauges.js';

describe('the gauges of runs and plugins', () => {
  it('are read at the time of the request', async () => {
    const metrics = createMetrics({ service: 'oracle-api', version: '0' });
    const turns = { running: 2 };
    liveGauges(metrics, { turns, streams: { size: 3 }, hub: { stats: { totalConnections: 4 } } });
    turns.running = 5;
    const text = await metrics.registry.metrics();
    expect(text).toContain('oracle_turns_running{service="oracle-api"} 5');
    expect(text).toContain('oracle_streams_open{service="oracle-api"} 3');
    expect(text).toContain('oracle_sockets_open{service="oracle-api"} 4');
  });

  it('include runs in every state, also zero, and mark values of the whole fleet', async () => {
    const metrics = createMetrics({ service: 'oracle-api', version: '0' });
    const underWay = async () => [{ status: 'queued', count: 3, oldestMs: 1_500 }] as const;
    runGauges(metrics, { countUnfinished: underWay }, createLogger({ service: 'test', level: 'silent' }));
    const text = await metrics.registry.metrics();
    expect(text).toContain('oracle_runs{state="queued",scope="fleet",service="oracle-api"} 3');
    expect(text).toContain('oracle_runs{state="recovering",scope="fleet",service="oracle-api"} 0');
    expect(text).toContain('oracle_runs_oldest_seconds{state="queued",scope="fleet",service="oracle-api"} 1.5');
  });

  it('include gauges of plugins, without those that fail', async () => {
    const metrics = createMetrics({ service: 'oracle-api', version: '0' });
    const figures = [
      { plugin: 'my-papers', name: 'pages', help: 'Pages.', read: async () => ({ read: 7, unread: 0 }) },
      { plugin: 'my-papers', name: 'pens', help: 'Pens.', read: () => Promise.reject(new Error('no database')) },
    ];
    pluginGauges(metrics, figures, createLogger({ service: 'test', level: 'silent' }));
    const text = await metrics.registry.metrics();
    expect(text).toContain('oracle_my_papers_pages{state="read",scope="fleet",service="oracle-api"} 7');
    expect(text).toContain('oracle_my_papers_pages{state="unread",scope="fleet",service="oracle-api"} 0');
    expect(text).not.toContain('oracle_my_papers_pens{');
  });
});
