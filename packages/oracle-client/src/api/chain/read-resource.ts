import { fetchJson } from '../requests/fetch-json.js';
import { type EntityDocument, partOf } from './entity-document.js';

/** A session at a Matrix homeserver, required for its media. */
export interface MatrixSession {
  readonly accessToken: string;
  readonly homeServer: string;
}

/**
 * The JSON of a linked resource, by the fragment of its id; undefined for one that the entity lacks, or stores where a page
 * cannot read it. Rejects with an `OracleRequestError` if reading an existing one fails.
 */
export async function readResource(
  entity: EntityDocument,
  fragment: string,
  matrix: MatrixSession,
  signal?: AbortSignal,
): Promise<unknown> {
  const endpoint = partOf(entity.resources, fragment)?.serviceEndpoint;
  const url = endpoint === undefined ? undefined : placeOf(entity, endpoint);
  if (url === undefined) return undefined;
  const media = mediaAt(url, matrix);
  if (media === undefined) return fetchJson(url, { signal });
  return fetchJson(media, { signal, headers: { authorization: `Bearer ${matrix.accessToken}` } });
}

/** A resource is embedded, at a URL, or below a service of the entity: `<did>#storage/<path>`. */
function placeOf({ services }: EntityDocument, endpoint: string): string | undefined {
  if (/^(https?:\/\/|data:application\/json[;,])/.test(endpoint)) return endpoint;
  const [, service = '', path = ''] = /#([\w-]+)\/(.+)$/.exec(endpoint) ?? [];
  const base = partOf(services, service)?.serviceEndpoint ?? '';
  return /^https?:\/\//.test(base) && path !== '' ? `${base.replace(/\/+$/, '')}/${path}` : undefined;
}

/** Media of any homeserver are read through the user's own homeserver, so that no other server receives the token. */
function mediaAt(url: string, { accessToken, homeServer }: MatrixSession): string | undefined {
  const [, path] =
    /^https?:\/\/[^/]+\/_matrix\/(?:client\/v1\/media|media\/[^/]+)\/download\/([^/]+\/[^/?#]+)/.exec(url) ?? [];
  if (path === undefined || accessToken === '' || homeServer === '') return undefined;
  return `${homeServerUrl(homeServer)}/_matrix/client/v1/media/download/${path}`;
}

/** Wallets give the base URL of a homeserver, or its name alone. */
export function homeServerUrl(homeServer: string): string {
  const url = /^https?:\/\//.test(homeServer) ? homeServer : `https://${homeServer}`;
  return url.replace(/\/+$/, '');
}
