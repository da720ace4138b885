import { join } from 'node:path';
import { doors, hostOf, type RunningProxy, type Upstreams } from './doors.fixture.js';
import { startProxy } from './proxy-process.fixture.js';

/** The shipped Caddyfile, unchanged: it takes sites and upstreams from variables. */
export const caddyfile = join(import.meta.dirname, 'Caddyfile');

export function startCaddy(program: string, upstreams: Upstreams): Promise<RunningProxy> {
  return startProxy(program, (port, folder) => {
    const sites = doors.flatMap((door) => [
      [`${door.toUpperCase()}_SITE`, `http://${hostOf(door)}:${port}`],
      [`${door.toUpperCase()}_UPSTREAM`, upstreams[door]],
    ]);
    return {
      args: ['run', '--config', caddyfile, '--adapter', 'caddyfile'],
      env: { ...Object.fromEntries(sites), HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    };
  });
}
