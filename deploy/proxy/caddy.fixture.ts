import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProxy } from '@mlango/test-services/proxy-process';
import { doors, hostOf, movedUpstreams, type RunningProxy, type Upstreams } from './doors.fixture.js';

/** The shipped Caddyfile, unchanged: it takes its sites from variables, and the replicas from a file next to it. */
export const caddyfile = join(import.meta.dirname, 'Caddyfile');
const replicas = 'mlango-upstreams.caddy';

/** @param aggregator the only range that may call endpoints of aggregators, in place of the shipped ones. */
export function startCaddy(program: string, upstreams: Upstreams, aggregator?: string): Promise<RunningProxy> {
  return startProxy(program, (port, folder) => {
    const sites = doors.map((door) => [`${door.toUpperCase()}_SITE`, `http://${hostOf(door)}:${port}`]);
    const addresses = aggregator === undefined ? {} : { AGGREGATOR_ADDRESSES: aggregator };
    const file = join(folder, 'Caddyfile');
    copyFileSync(caddyfile, file);
    const shipped = readFileSync(join(import.meta.dirname, replicas), 'utf8');
    writeFileSync(join(folder, replicas), movedUpstreams(shipped, upstreams));
    return {
      args: ['run', '--config', file, '--adapter', 'caddyfile'],
      env: { ...Object.fromEntries(sites), ...addresses, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    };
  });
}
