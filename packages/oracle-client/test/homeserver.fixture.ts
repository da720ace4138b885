import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A Matrix homeserver on loopback, as far as OpenID tokens and media go. */
export async function standInHomeserver(accessToken: string) {
  const requested: string[] = [];
  let expiresInSeconds = 3_600;
  const server = createServer((request, response) => {
    const { url = '', method, headers } = request;
    requested.push(`${method} ${decodeURIComponent(url)}`);
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (headers.authorization !== `Bearer ${accessToken}`)
      answer(401, { errcode: 'M_UNKNOWN_TOKEN', error: 'Unknown' });
    else if (url.startsWith('/_matrix/client/v1/media/download/')) answer(200, { amount: '5', denom: 'uixo' });
    else {
      answer(200, {
        access_token: `openid-${requested.length}`,
        expires_in: expiresInSeconds,
        matrix_server_name: 'home.example',
        token_type: 'Bearer',
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested,
    lastFor: (seconds: number) => {
      expiresInSeconds = seconds;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
