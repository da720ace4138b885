import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProxy } from '@mlango/test-services/proxy-process';
import { movedUpstreams, type RunningProxy, type Upstreams } from './doors.fixture.js';

const replicas = 'mlango-upstreams.conf';
const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/**
 * The shipped files with changes only of ports, replica addresses and nginx's output paths.
 *
 * @param aggregator the only range that may call endpoints of aggregators, in place of the shipped ones.
 */
export function startNginx(program: string, upstreams: Upstreams, aggregator?: string): Promise<RunningProxy> {
  return startProxy(program, (port, folder) => {
    // Its workers run as another user when nginx is started by root.
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'logs'), { recursive: true });
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, named(moved(shipped('nginx.conf'), port, folder), aggregator));
    writeFileSync(join(folder, replicas), movedUpstreams(shipped(replicas), upstreams));
    return { args: ['-p', folder, '-c', file, '-e', join(folder, 'logs/error.log'), '-g', 'daemon off;'] };
  });
}

const shipped = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

function named(text: string, aggregator: string | undefined): string {
  if (aggregator === undefined) return text;
  const list = /(geo \$is_aggregator_address \{\s+default 0;)[^}]+\}/;
  if (!list.test(text)) throw new Error('nginx.conf no longer has a list of addresses of aggregators');
  return text.replace(list, `$1 ${aggregator} 1; }`);
}

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
