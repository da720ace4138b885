import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Posted {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: { readonly channel: string; readonly thread_ts: string; readonly text: string };
}

/** Slack's Web API on loopback: records posts, and replies as configured. */
export async function standInSlack() {
  const posted: Posted[] = [];
  const replies: { status: number; body: object; headers?: Record<string, string> }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse(await text(request));
      posted.push({ path: request.url, authorization: request.headers.authorization, body });
      const { status, body: said, headers = {} } = replies.shift() ?? { status: 200, body: { ok: true } };
      response.writeHead(status, headers).end(JSON.stringify(said));
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    posted,
    /** Replies to the next posts, before `ok` again. */
    replies,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
