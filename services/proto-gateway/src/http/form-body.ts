import { ServiceError } from '@mlango/service-kit/errors';
import type { RouteMatch, Transcoder } from '@mlango/transcoder';
import type { Route } from '../catalog/route-table.js';

/** As much as a URL could say. Each parameter has a price of its own, so that a form of any size would hold up others. */
const MAX_FORM_BYTES = 64 * 1024;

export interface FormRequest {
  readonly match: RouteMatch<Route>;
  /** The query with the parameters of the form behind it. */
  readonly rawQuery: string;
}

/**
 * A POST with a form, as grpc-gateway takes it: its values are parameters of the query, and where the path has a route for GET
 * alone, that one is asked. `undefined` for other requests, and for a rule that takes the whole body.
 *
 * @throws {ServiceError} `payload_too_large` for a form that is larger than it may be
 */
export function readForm(
  transcoder: Transcoder<Route>,
  {
    method,
    url,
    contentType,
    body,
  }: { method: string; url: string; contentType: string | undefined; body: Uint8Array },
): FormRequest | undefined {
  if (method !== 'POST' || !isForm(contentType)) return undefined;
  const posted = transcoder.match('POST', url);
  const match = posted.kind === 'other_method' ? transcoder.match('GET', url) : posted;
  if (match.kind !== 'found' || (match === posted && match.route.body === '*')) return undefined;
  if (body.length > MAX_FORM_BYTES) {
    throw new ServiceError('payload_too_large', `A form has at most ${MAX_FORM_BYTES} bytes`);
  }
  const form = Buffer.from(body).toString('latin1');
  return { match, rawQuery: [match.rawQuery, form].filter((part) => part !== '').join('&') };
}

function isForm(contentType: string | undefined): boolean {
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? '');
}
