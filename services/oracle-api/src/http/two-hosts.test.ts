import { rawRequest } from '@mlango/test-services/raw-request';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listening, type Service } from '../sockets/sockets.fixture.js';

let service: Service;
beforeAll(async () => {
  service = await listening();
});
afterAll(() => service.close());

const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';

it.each([
  ['a route', ['GET / HTTP/1.1']],
  ['a protected route', ['GET /sessions HTTP/1.1']],
  ['a plain WebSocket', ['GET /ws?sessionId=s HTTP/1.1', ...upgrade, key]],
  ['Socket.IO by polling', ['GET /socket.io/?EIO=4&transport=polling HTTP/1.1']],
  [
    'Socket.IO by polling, a later request',
    ['POST /socket.io/?EIO=4&transport=polling&sid=x HTTP/1.1', 'Content-Length: 0'],
  ],
  ['Socket.IO by a WebSocket', ['GET /socket.io/?EIO=4&transport=websocket HTTP/1.1', ...upgrade, key]],
])('a request with two Host headers gets 400 in the common error form: %s', async (_name, lines) => {
  const reply = await rawRequest(service.base, [...lines, 'Host: a.example', 'Host: b.example']);
  expect(reply).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  const { statusCode, error, message } = JSON.parse(reply.split('\r\n\r\n')[1] ?? '');
  expect([statusCode, error, message]).toEqual([400, 'Bad Request', 'A request has one Host header']);
});
