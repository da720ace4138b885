import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { AccessToken, TokenVerifier } from 'livekit-server-sdk';

/** The room service of a LiveKit server on loopback: verifies tokens by LiveKit's own rules, and records the rooms it closed. */
export async function standInLiveKit({ key, secret }: { key: string; secret: string }) {
  const closed: string[] = [];
  const rooms = new Set<string>();
  const server = createServer((request, response) => {
    void (async () => {
      const { room } = JSON.parse(await text(request)) as { room: string };
      const answer = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
      const claims = await new TokenVerifier(key, secret).verify(token).catch(() => undefined);
      if (request.url !== '/twirp/livekit.RoomService/DeleteRoom') return answer(404, { code: 'bad_route', msg: 'no' });
      if (claims?.video?.roomCreate !== true) return answer(401, { code: 'unauthenticated', msg: 'no permission' });
      if (!rooms.delete(room)) return answer(404, { code: 'not_found', msg: 'requested room does not exist' });
      closed.push(room);
      return answer(200, {});
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Rooms that a participant has joined. */
    rooms,
    closed,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A webhook as LiveKit sends it: the token signs the hash of the body. */
export async function webhook(event: object, by: { key: string; secret: string }) {
  const payload = JSON.stringify(event);
  const token = new AccessToken(by.key, by.secret, { ttl: 300 });
  token.sha256 = createHash('sha256').update(payload).digest('base64');
  return {
    method: 'POST' as const,
    url: '/calls/livekit',
    payload,
    headers: { 'content-type': 'application/webhook+json', authorization: await token.toJwt() },
  };
}
