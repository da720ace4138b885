import { createHash } from 'node:crypto';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { isKnown } from '../cache/response.js';
import { chooseEncoding, type Encoding, encode } from './content-encoding.js';
import { setHeader } from './send.js';

interface Printed {
  /** The paths that the text was printed from. */
  readonly paths: unknown;
  readonly text: string;
  readonly tag: string;
  /** Compressed forms, made on first request. */
  readonly encoded: Partial<Record<Encoding, Promise<Buffer>>>;
}

/** `GET /openapi.json`: the description of the mounted routes of this deployment. */
export function openApiRoute(
  app: HttpApp,
  document: Record<string, unknown>,
  /** The setting `PUBLIC_URL`; without it the server is relative to the address of the description. */
  publicUrl: string | undefined,
): void {
  const servers = [{ url: publicUrl ?? '.' }];
  let last: Printed | undefined;
  const printed = (): Printed => {
    const { paths } = document;
    if (last?.paths !== paths) last = print({ ...document, servers });
    return last as Printed;
  };
  app.get('/openapi.json', { schema: { hide: true } }, async ({ headers }, reply) => {
    const { text, tag, encoded } = printed();
    // Routes may change with a restart, so clients revalidate.
    void reply.headers({ etag: tag, 'cache-control': 'no-cache' });
    setHeader(reply, 'vary', ['accept-encoding']);
    if (isKnown([['if-none-match', headers['if-none-match'] ?? '']], tag)) return reply.code(304).send();
    void reply.type('application/json; charset=utf-8');
    const encoding = chooseEncoding(headers['accept-encoding']);
    if (encoding === undefined) return reply.send(text);
    encoded[encoding] ??= encode(text, encoding);
    return reply.header('content-encoding', encoding).send(await encoded[encoding]);
  });
}

function print(document: Record<string, unknown>): Printed {
  const text = JSON.stringify(document);
  const tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return { paths: document['paths'], text, tag, encoded: {} };
}
