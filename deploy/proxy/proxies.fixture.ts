import { findProgram } from '@mlango/test-services/proxy-process';
import { startCaddy } from './caddy.fixture.js';
import { startNginx } from './nginx.fixture.js';

/** Both proxies of this folder; `program` is undefined if the machine has none: `describe.skipIf(!program)`. */
export const proxies = [
  { name: 'nginx', program: findProgram('nginx'), start: startNginx },
  { name: 'caddy', program: findProgram('caddy'), start: startCaddy },
] as const;

const missing = proxies.filter((proxy) => proxy.program === undefined).map((proxy) => proxy.name);
if (missing.length > 0) {
  if (process.env['REQUIRE_REAL_SERVICES'] === '1')
    throw new Error(`REQUIRE_REAL_SERVICES=1 without ${missing.join(', ')}`);
  process.stderr.write(`Skipped: proxy configurations, for want of ${missing.join(' and ')} on this machine\n`);
}

/** The proxies installed on this machine. */
export const found = proxies.flatMap(({ program, start }) => (program === undefined ? [] : [{ program, start }]));
