import type { Header } from '../http2/hpack-decoder.js';
import type { HeaderBlock } from '../http2/hpack-encoder.js';
import type { Metadata } from '../metadata.js';
import { GZIP } from './message-reader.js';

/** Names that the protocol itself uses; all others are metadata of the node. */
export const PROTOCOL_NAMES = new Set([
  'content-type',
  'grpc-status',
  'grpc-message',
  'grpc-encoding',
  'grpc-accept-encoding',
]);
const BINARY_SUFFIX = '-bin';

/** Headers that are the same for every call of a method. */
export function methodHeaders(path: string, authority: string, isSecure: boolean): Header[] {
  return [
    [':method', 'POST'],
    [':scheme', isSecure ? 'https' : 'http'],
    [':path', path],
    [':authority', authority],
    ['te', 'trailers'],
    ['content-type', 'application/grpc'],
    ['grpc-accept-encoding', `${GZIP},identity`],
    ['user-agent', 'mlango-grpc-channel'],
  ];
}

/** Writes the headers of one call after those of its method. */
export function writeCallHeaders(block: HeaderBlock, method: Uint8Array, metadata: Metadata, timeoutMs: number): void {
  block.begin(method);
  block.add('grpc-timeout', printTimeout(timeoutMs));
  for (const [name, value] of metadata) block.add(name, printValue(value));
}

/** Metadata as headers. */
export function metadataHeaders(metadata: Metadata): Header[] {
  return metadata.map(([name, value]): Header => [name, printValue(value)]);
}

function printValue(value: string | Uint8Array): string {
  return typeof value === 'string' ? value : Buffer.from(value).toString('base64');
}

const MAX_DIGITS = 99_999_999;

/** Eight digits at most and a unit. */
function printTimeout(timeoutMs: number): string {
  const ms = Math.max(1, Math.ceil(timeoutMs));
  return ms <= MAX_DIGITS ? `${ms}m` : `${Math.ceil(ms / 1000)}S`;
}

/** The metadata of a node among the headers of a reply. */
export function readMetadata(headers: readonly Header[]): Metadata {
  const metadata: (readonly [string, string | Uint8Array])[] = [];
  for (const header of headers) {
    const [name, value] = header;
    if (name.startsWith(':') || PROTOCOL_NAMES.has(name)) continue;
    if (!name.endsWith(BINARY_SUFFIX)) metadata.push(header);
    // A proxy may have joined several values.
    else for (const part of value.split(',')) metadata.push([name, Buffer.from(part.trim(), 'base64')]);
  }
  return metadata;
}

export function findHeader(headers: readonly Header[], name: string): string | undefined {
  for (const [candidate, value] of headers) if (candidate === name) return value;
  return undefined;
}

/** The message of a failure. Malformed percent-encoding is left unchanged. */
export function readMessageText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
