import { PERMANENT_PREFIX } from './permanent-headers.js';

/** gRPC metadata as pairs in order; names are lower case, values of names that end in `-bin` are bytes. */
export type Metadata = readonly (readonly [name: string, value: string | Uint8Array])[];

/** Headers of an HTTP request, unchanged and in order. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** Marks a header for the server, or from it. */
export const METADATA_PREFIX = 'grpc-metadata-';
/** Names reserved by gRPC and HTTP/2. */
const RESERVED =
  /^(?:grpc-.*|:.*|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-type|content-length|user-agent|date|server)$/;
const NAME = /^[0-9a-z_.-]+$/;
/** Maximum metadata of a reply in headers or trailers; servers and proxies refuse much more. */
const LIMIT_BYTES = 8 * 1024;
/** Reserved for metadata with its own header name. */
const SPARE_BYTES = 64;
const VALUE = /^[\x20-\x7e]*$/;

export interface Caller {
  /** The address of the caller, as far as proxies are trusted. */
  readonly address: string;
  readonly host: string;
}

/**
 * The metadata of an HTTP request: `Grpc-Metadata-X` as `x`, credentials, and the caller's address. Other headers are dropped,
 * and so are names and values that gRPC does not allow.
 *
 * @param permanent HTTP headers, lower case, that are sent as `grpcgateway-…`
 */
export function toMetadata(headers: HeaderPairs, caller: Caller, permanent?: ReadonlySet<string>): Metadata {
  const metadata: [string, string | Uint8Array][] = [];
  let hasCredentials = false;
  for (const [header, value] of headers) {
    const name = header.toLowerCase();
    if (name.endsWith('authorization')) hasCredentials = true;
    if (name === 'authorization' && VALUE.test(value)) {
      // Servers read the plain name; the prefixed one marks requests over HTTP.
      metadata.push(['authorization', value], ['grpcgateway-authorization', value]);
    } else if (name.startsWith(METADATA_PREFIX)) {
      metadata.push(...toEntry(name.slice(METADATA_PREFIX.length), value));
    } else if (permanent?.has(name) === true && VALUE.test(value)) {
      metadata.push([`${PERMANENT_PREFIX}${name}`, value]);
    }
  }
  metadata.push(['x-forwarded-for', caller.address]);
  if (VALUE.test(caller.host) && caller.host !== '') metadata.push(['x-forwarded-host', caller.host]);
  return hasCredentials ? withoutSecondCredentials(metadata) : metadata;
}

/** gRPC refuses a call with several credentials, so only the first one is sent. */
function withoutSecondCredentials(metadata: Metadata): Metadata {
  const seen = new Set<string>();
  return metadata.filter(([name]) => !name.endsWith('authorization') || (!seen.has(name) && seen.add(name)));
}

function toEntry(name: string, value: string): [string, string | Uint8Array][] {
  if (!NAME.test(name) || RESERVED.test(name)) return [];
  // Set by the transcoding service itself; clients cannot override them.
  if (name === 'x-forwarded-for' || name === 'x-forwarded-host') return [];
  if (!name.endsWith('-bin')) return VALUE.test(value) ? [[name, value.trim()]] : [];
  // Values of one name may be joined. Source: the gRPC protocol over HTTP/2, Binary-Header.
  const values = value.split(',').map((each) => each.trim());
  if (!values.every((each) => /^[A-Za-z0-9+/_-]*={0,2}$/.test(each))) return [];
  return values.map((each) => [name, new Uint8Array(Buffer.from(each, 'base64'))]);
}

/** A server's metadata as reply headers, 8 KB of them: `Grpc-Metadata-X`, bytes in base64. */
export function toReplyHeaders(metadata: Metadata): Map<string, string[]> {
  return printMetadata(METADATA_PREFIX, metadata);
}

/** A server's trailers as HTTP trailers, 8 KB of them: `Grpc-Trailer-X`. */
export function toReplyTrailers(metadata: Metadata): Map<string, string[]> {
  return printMetadata('grpc-trailer-', metadata);
}

/** Metadata as header values, 8 KB of them: values that HTTP cannot carry, and reserved names, are omitted. */
export function printMetadata(prefix: string, metadata: Metadata): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  let leftBytes = LIMIT_BYTES - SPARE_BYTES;
  for (const [name, value] of metadata) {
    const bytes = prefix.length + name.length + value.length;
    const key = bytes > leftBytes ? null : printName(prefix, name);
    if (key === null) continue;
    const text = typeof value === 'string' ? value : Buffer.from(value).toString('base64');
    if (!VALUE.test(text)) continue;
    const values = headers.get(key);
    if (values === undefined) headers.set(key, [text]);
    else values.push(text);
    leftBytes -= bytes + text.length - value.length;
  }
  return headers;
}

/** Cache of header names by prefix, since servers use few; null for omitted ones. */
const printedNames = new Map<string, Map<string, string | null>>();
const MAX_NAMES = 200;

function printName(prefix: string, name: string): string | null {
  let names = printedNames.get(prefix);
  if (names === undefined) {
    names = new Map();
    printedNames.set(prefix, names);
  }
  let printed = names.get(name);
  if (printed === undefined) {
    printed = NAME.test(name) && !RESERVED.test(name) ? `${prefix}${name}` : null;
    if (names.size < MAX_NAMES) names.set(name, printed);
  }
  return printed;
}
