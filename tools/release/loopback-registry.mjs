import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * What npm asks of a registry: to take a package, to tell of it, and to give its archive. It answers in this process, so nothing here may wait for
 * npm by standing still.
 * @returns {Promise<{ address: string, npmrc: string, close: () => Promise<unknown> }>} npmrc: what npm has to read to publish there
 */
export async function loopbackRegistry() {
  /** @type {Map<string, { document: string, archives: Map<string, Buffer> }>} */
  const packages = new Map();

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   * @param {string} body
   */
  function answer(request, response, body) {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const [, owner = path, archive] = /^(.+?)\/-\/(.+)$/.exec(path) ?? [];
    const known = packages.get(owner);
    if (request.method === 'PUT') {
      const { _attachments: attachments, ...document } = JSON.parse(body);
      const archives = Object.entries(/** @type {Record<string, { data: string }>} */ (attachments));
      packages.set(owner, {
        document: JSON.stringify(document),
        archives: new Map(archives.map(([file, { data }]) => [file, Buffer.from(data, 'base64')])),
      });
      response.writeHead(201).end('{}');
    } else if (known === undefined) {
      response.writeHead(404).end('{}');
    } else {
      response.end(archive === undefined ? known.document : known.archives.get(archive));
    }
  }

  const server = createServer((request, response) => {
    void text(request).then((body) => answer(request, response, body));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const address = `http://127.0.0.1:${port}/`;
  return {
    address,
    npmrc: `registry=${address}\n//127.0.0.1:${port}/:_authToken=anybody\n`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
