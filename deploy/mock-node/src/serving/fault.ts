import type { Metadata } from '@grpc/grpc-js';

/** A deliberate failure of a query. */
export type Fault =
  | { readonly kind: 'status'; readonly code: number; readonly details: boolean }
  | { readonly kind: 'delay'; readonly delayMs: number }
  | { readonly kind: 'oversized' | 'malformed' | 'broken-stream' | 'broken-transport' | 'goaway' };

/** Metadata key that requests a fault in any query, for any request. */
const FAULT_KEY = 'x-mock-fault';

const MAX_DELAY_MS = 60_000;

/** Reads the name of a fault, such as `status-14`, `details-3` or `delay-200`; undefined for any other text. */
export function parseFault(name: string): Fault | undefined {
  const status = /^(status|details)-(\d{1,2})$/.exec(name);
  if (status) {
    const code = Number(status[2]);
    return code >= 1 && code <= 16 ? { kind: 'status', code, details: status[1] === 'details' } : undefined;
  }
  const delay = /^delay-(\d{1,5})$/.exec(name);
  if (delay) return { kind: 'delay', delayMs: Math.min(Number(delay[1]), MAX_DELAY_MS) };
  switch (name) {
    case 'oversized':
    case 'malformed':
    case 'broken-stream':
    case 'broken-transport':
    case 'goaway':
      return { kind: name };
    default:
      return undefined;
  }
}

/** The fault one of a request's texts ends in, such as that of `did:ixo:entity:status-14`. */
export function faultInRequest(request: object): Fault | undefined {
  for (const value of Object.values(request)) {
    if (typeof value !== 'string') continue;
    const fault = parseFault(value.slice(value.lastIndexOf(':') + 1));
    if (fault) return fault;
  }
  return undefined;
}

/** The fault requested by metadata. */
export function faultInMetadata(metadata: Metadata): Fault | undefined {
  const value = metadata.get(FAULT_KEY)[0];
  return typeof value === 'string' ? parseFault(value) : undefined;
}
