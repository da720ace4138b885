import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** Sends a request unchanged, as lines without their ends, and returns all bytes until the other side closes. */
export async function rawRequest(base: string, lines: readonly string[], body = ''): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.write([...lines, '', body].join('\r\n'));
  return text(socket);
}
