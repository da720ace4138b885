import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { startKeeper } from './keeper.js';
import { ServerProcess } from './server-process.js';

export interface PrometheusServer {
  readonly url: string;
  readonly remove: () => Promise<void>;
}

/**
 * A Prometheus on 127.0.0.1 with a temporary folder. Ready for queries when this resolves.
 *
 * @param files its configuration, `prometheus.yml`, and the files it names, by their names in its folder
 */
export async function launchPrometheus(
  program: string,
  files: Readonly<Record<string, string>>,
): Promise<PrometheusServer> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const folder = await mkdtemp(join(tmpdir(), 'mlango-test-prometheus-'));
  const keeper = startKeeper(folder, 'KILL');
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const options = {
    'config.file': 'prometheus.yml',
    'storage.tsdb.path': 'data',
    'web.listen-address': new URL(url).host,
  };
  const server = new ServerProcess(
    {
      name: 'Prometheus',
      file: program,
      args: Object.entries(options).map(([name, value]) => `--${name}=${value}`),
      folder,
      isReady: () =>
        fetch(`${url}/-/ready`).then(
          (reply) => reply.ok,
          () => false,
        ),
    },
    keeper,
  );
  await server.launch();
  return { url, remove: () => server.remove() };
}
