import { ForbiddenAddressError } from '@mlango/outbound/guarded-agent';
import type { Outbound } from '@mlango/outbound/outbound';
import type { Dispatcher } from 'undici';
import { ReadError, type ReadProblem } from './read-problem.js';

export interface FileRequest {
  readonly url: URL;
  /** Only for the origin of `url`: never sent after a redirect to another origin. */
  readonly accessToken?: string | undefined;
  /** Permitted targets of redirects, in addition to the origin of `url`. */
  readonly mayLeadTo: (url: URL) => boolean;
  readonly limitBytes: number;
  readonly signal: AbortSignal;
}

export interface FetchedFile {
  readonly status: number;
  readonly bytes: Buffer;
}

const redirects = 3;
/** Size limit of an error reply, in bytes. */
const errorBytes = 16_384;

/**
 * Fetches a URL completely, or refuses. Returns replies with 200 and, for their reason, 4xx; each redirect is checked like the first
 * URL.
 * @throws ReadError
 */
export async function fetchFile(outbound: Outbound, request: FileRequest): Promise<FetchedFile> {
  const { signal, limitBytes } = request;
  let { url } = request;
  for (let hop = 0; hop <= redirects; hop++) {
    const problem = outbound.problemOf(url);
    if (problem !== undefined) throw new ReadError(isOfTheWeb(url) ? 'forbidden_address' : 'bad_address');
    const isHome = url.origin === request.url.origin;
    if (!isHome && !request.mayLeadTo(url)) throw new ReadError('moved');
    const reply = await sendRequest(outbound, url, isHome ? request.accessToken : undefined, signal);
    const { statusCode: status } = reply;
    try {
      if (status >= 300 && status < 400) {
        url = locationOf(reply, url);
        continue;
      }
      if (status === 200) return { status, bytes: await bytesOf(reply, limitBytes, signal) };
      if (status >= 400 && status < 500) return { status, bytes: await bytesOf(reply, errorBytes, signal) };
      throw new ReadError('unreachable');
    } finally {
      // Discards the unread body, which closes the connection.
      reply.body.on('error', () => undefined).destroy();
    }
  }
  throw new ReadError('moved');
}

function isOfTheWeb({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && `${username}${password}` === '';
}

async function sendRequest(
  outbound: Outbound,
  url: URL,
  accessToken: string | undefined,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const authorization = accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` };
  const { request } = await import('undici');
  const { dispatcher } = outbound;
  try {
    return await request(url, { dispatcher, signal, headers: { 'accept-encoding': 'identity', ...authorization } });
  } catch (error) {
    throw failure(error, signal);
  }
}

function locationOf({ headers }: Dispatcher.ResponseData, from: URL): URL {
  const { location } = headers;
  if (typeof location !== 'string' || !URL.canParse(location, from.href)) throw new ReadError('unreachable');
  return new URL(location, from);
}

async function bytesOf(reply: Dispatcher.ResponseData, limitBytes: number, signal: AbortSignal): Promise<Buffer> {
  const encoding = reply.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' && encoding !== '') throw new ReadError('compressed');
  if (Number(reply.headers['content-length'] ?? 0) > limitBytes) throw new ReadError('too_large');
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of reply.body) {
      if (!(chunk instanceof Uint8Array)) continue;
      length += chunk.length;
      if (length > limitBytes) throw new ReadError('too_large');
      chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    }
  } catch (error) {
    throw error instanceof ReadError ? error : failure(error, signal);
  }
  return Buffer.concat(chunks, length);
}

function failure(error: unknown, signal: AbortSignal): ReadError {
  const problem: ReadProblem = signal.aborted ? 'timeout' : 'unreachable';
  return new ReadError(error instanceof ForbiddenAddressError ? 'forbidden_address' : problem);
}
