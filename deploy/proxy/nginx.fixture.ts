import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { movedUpstreams, type RunningProxy, type Upstreams } from './doors.fixture.js';
import { startProxy } from './proxy-process.fixture.js';

const replicas = 'mlango-upstreams.conf';
const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** The shipped files with nothing changed but ports, addresses of replicas and the places nginx writes to. */
export function startNginx(program: string, upstreams: Upstreams): Promise<RunningProxy> {
  return startProxy(program, (port, folder) => {
    // Its workers run as another user when nginx is started by root.
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'logs'), { recursive: true });
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, moved(shipped('nginx.conf'), port, folder));
    writeFileSync(join(folder, replicas), movedUpstreams(shipped(replicas), upstreams));
    return { args: ['-p', folder, '-c', file, '-e', join(folder, 'logs/error.log'), '-g', 'daemon off;'] };
  });
}

const shipped = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

function moved(text: string, port: number, folder: string): string {
  const temporary = temporaryPaths.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ');
  const replacements: [string, string][] = [
    ['listen 80', `listen 127.0.0.1:${port}`],
    ['pid /run/nginx.pid', `pid ${join(folder, 'nginx.pid')}`],
    ['/var/log/nginx/', `${join(folder, 'logs')}/`],
    ['http {', `http { ${temporary}`],
  ];
  return replacements.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`nginx.conf no longer has "${from}"`);
    return result.replaceAll(from, to);
  }, text);
}
