import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, freePort, startServer } from '../process.js';
import { repositoryFile, type ServiceName } from '../services.js';

/** The server name of each service in the shipped files, and the port of its first replica; that of the second is 10 higher. */
const shipped: Readonly<Record<ServiceName, { readonly name: string; readonly port: number }>> = {
  'ussd-gateway': { name: 'ussd.example.org', port: 3000 },
  'oracle-api': { name: 'oracle.example.org', port: 3001 },
  'proto-gateway': { name: 'chain.example.org', port: 3002 },
};

/** nginx in front of the replicas. */
export interface ShippedNginx {
  readonly urls: Readonly<Record<ServiceName, string>>;
  readonly stop: Child['stop'];
}

/**
 * Starts nginx with the shipped files; only ports and nginx's own paths are changed. Each server has a port of its own, since `fetch`
 * sends no other `Host` than that of the address.
 */
export async function startShippedNginx(
  folder: string,
  replicas: Readonly<Record<ServiceName, readonly { readonly url: string }[]>>,
): Promise<ShippedNginx> {
  const ports = new Map<string, number>();
  for (const { name } of Object.values(shipped)) ports.set(name, await freePort());
  const unused = await freePort();
  const own = join(folder, 'nginx');
  mkdirSync(own);
  for (const each of [folder, own]) chmodSync(each, 0o755);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${own}/${name};`,
  );
  const file = (name: string) => readFileSync(repositoryFile(`deploy/proxy/${name}`), 'utf8');
  writeFileSync(
    join(own, 'nginx.conf'),
    file('nginx.conf')
      .replaceAll(/listen 80([^}]*?server_name (\S+);)/g, (_, rest, name) => {
        return `listen 127.0.0.1:${ports.get(name) ?? unused}${rest}`;
      })
      .replace('pid /run/nginx.pid', `pid ${own}/nginx.pid`)
      .replaceAll('/var/log/nginx/', `${own}/`)
      .replace('http {', `http { ${temporary.join(' ')}`),
  );
  const upstreams = Object.entries(shipped).reduce((text, [service, { port }]) => {
    const [first, second] = replicas[service as ServiceName].map(({ url }) => new URL(url).host);
    return text.replaceAll(`127.0.0.1:${port} `, `${first} `).replaceAll(`127.0.0.1:${port + 10} `, `${second} `);
  }, file('mlango-upstreams.conf'));
  writeFileSync(join(own, 'mlango-upstreams.conf'), upstreams);
  const args = ['-p', own, '-c', join(own, 'nginx.conf'), '-e', join(own, 'error.log'), '-g', 'daemon off;'];
  const nginx =
    (await startServer('nginx', args, { port: unused })) ??
    (await startServer('/usr/sbin/nginx', args, { port: unused }));
  if (nginx === undefined) throw new Error('nginx is not installed');
  const urlOf = ({ name }: { readonly name: string }) => `http://127.0.0.1:${ports.get(name)}`;
  const urls = Object.fromEntries(Object.entries(shipped).map(([service, each]) => [service, urlOf(each)]));
  return { urls: urls as ShippedNginx['urls'], stop: (signal) => nginx.stop(signal) };
}
