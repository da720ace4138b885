import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, freePort, startServer } from '../process.js';
import { repositoryFile, type ServiceName } from '../services.js';

/** The server names of nginx.conf. */
const serverNames: Readonly<Record<ServiceName, string>> = {
  'ussd-gateway': 'ussd.example.org',
  'oracle-api': 'oracle.example.org',
  'proto-gateway': 'chain.example.org',
};

/** nginx in front of the replicas. */
export interface ShippedNginx {
  readonly urls: Readonly<Record<ServiceName, string>>;
  readonly stop: Child['stop'];
}

/** The first shipped port of each service; that of its second replica is 10 higher. */
const shippedPorts: Readonly<Record<ServiceName, number>> = {
  'ussd-gateway': 3000,
  'oracle-api': 3001,
  'proto-gateway': 3002,
};

/**
 * Starts nginx with the shipped files; only ports and nginx's own paths are changed. Each server has a port of its own, since `fetch`
 * sends no other `Host` than that of the address.
 */
export async function startShippedNginx(
  folder: string,
  replicas: Readonly<Record<ServiceName, readonly { readonly url: string }[]>>,
): Promise<ShippedNginx> {
  const ports = new Map<string, number>();
  for (const name of Object.values(serverNames)) ports.set(name, await freePort());
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
  const upstreams = Object.entries(shippedPorts).reduce((text, [service, shippedPort]) => {
    const [first, second] = replicas[service as ServiceName].map(({ url }) => new URL(url).host);
    return text
      .replaceAll(`127.0.0.1:${shippedPort} `, `${first} `)
      .replaceAll(`127.0.0.1:${shippedPort + 10} `, `${second} `);
  }, file('mlango-upstreams.conf'));
  writeFileSync(join(own, 'mlango-upstreams.conf'), upstreams);
  const args = ['-p', own, '-c', join(own, 'nginx.conf'), '-e', join(own, 'error.log'), '-g', 'daemon off;'];
  const nginx =
    (await startServer('nginx', args, { port: unused })) ??
    (await startServer('/usr/sbin/nginx', args, { port: unused }));
  if (nginx === undefined) throw new Error('nginx is not installed');
  const urlOf = (service: ServiceName) => `http://127.0.0.1:${ports.get(serverNames[service])}`;
  return {
    urls: {
      'ussd-gateway': urlOf('ussd-gateway'),
      'oracle-api': urlOf('oracle-api'),
      'proto-gateway': urlOf('proto-gateway'),
    },
    stop: (signal) => nginx.stop(signal),
  };
}
