import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { doors, type RunningProxy, type Upstreams } from './doors.fixture.js';
import { startProxy } from './proxy-process.fixture.js';

const shipped = join(import.meta.dirname, 'nginx.conf');
const shippedUpstreams: Upstreams = {
  ussd: '127.0.0.1:3000',
  oracle: '127.0.0.1:3001',
  chain: '127.0.0.1:3002',
  playground: '127.0.0.1:3003',
};
const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** The shipped nginx.conf with nothing changed but ports, upstream addresses and the places nginx writes to. */
export function startNginx(program: string, upstreams: Upstreams): Promise<RunningProxy> {
  return startProxy(program, (port, folder) => {
    // Its workers run as another user when nginx is started by root.
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'logs'), { recursive: true });
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, moved(readFileSync(shipped, 'utf8'), port, folder, upstreams));
    return { args: ['-p', folder, '-c', file, '-e', join(folder, 'logs/error.log'), '-g', 'daemon off;'] };
  });
}

function moved(text: string, port: number, folder: string, upstreams: Upstreams): string {
  const temporary = temporaryPaths.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ');
  const replacements: [string, string][] = [
    ['listen 80', `listen 127.0.0.1:${port}`],
    ['pid /run/nginx.pid', `pid ${join(folder, 'nginx.pid')}`],
    ['/var/log/nginx/', `${join(folder, 'logs')}/`],
    ['http {', `http { ${temporary}`],
    ...doors.map((door): [string, string] => [`server ${shippedUpstreams[door]};`, `server ${upstreams[door]};`]),
  ];
  return replacements.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`nginx.conf no longer has "${from}"`);
    return result.replaceAll(from, to);
  }, text);
}
