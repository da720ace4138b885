import type { Metadata } from '@grpc/grpc-js';

/** Request metadata under this prefix is returned: as header metadata, or as trailers under the second prefix. */
const ECHO_PREFIX = 'x-mock-echo-';
const TRAILER_PREFIX = 'x-mock-echo-trailer-';

/** Copies the metadata to echo, so that tests can follow metadata both ways. */
export function echo(request: Metadata, header: Metadata, trailer: Metadata): void {
  for (const key of Object.keys(request.getMap())) {
    if (!key.startsWith(ECHO_PREFIX)) continue;
    const target = key.startsWith(TRAILER_PREFIX) ? trailer : header;
    for (const value of request.get(key)) target.add(key, value);
  }
}
