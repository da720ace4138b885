import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/**
 * An npm registry of our packages, in memory and on loopback. It stores the last version of a package.
 * @returns {Promise<{ npmrc: string, close: () => void }>} npmrc: settings with which npm publishes to it and installs from it
 */
export async function loopbackRegistry() {
  /** @type {Map<string, { document: string, archive: Buffer }>} */
  const packages = new Map();
  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   */
  const answer = async (request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const [name = '', isArchive] = path.split('/-/');
    if (request.method === 'PUT') {
      const { _attachments: attachments, ...document } = /** @type {any} */ (await json(request));
      const [{ data }] = /** @type {[{ data: string }]} */ (Object.values(attachments));
      packages.set(name, { document: JSON.stringify(document), archive: Buffer.from(data, 'base64') });
    }
    const known = packages.get(name);
    const body = isArchive ? known?.archive : known?.document;
    response.writeHead(body === undefined ? 404 : 200).end(body ?? '{}');
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    npmrc: `@mlango:registry=http://127.0.0.1:${port}/\n//127.0.0.1:${port}/:_authToken=any\n`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
