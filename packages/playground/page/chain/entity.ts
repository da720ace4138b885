import { readable } from './parts/decoded.js';

/** The place of a part of a document: in the document, at a safe address, or at an unsafe one. */
export type Where =
  | { readonly kind: 'here'; readonly text: string }
  | { readonly kind: 'link'; readonly href: string }
  | { readonly kind: 'text'; readonly text: string };

const SHOWN_CHARS = 200;

/**
 * Checks an address from the chain, which anyone can have written. `data:` is decoded, `did#storage/…` is resolved with the
 * service of that name; only https of a public name becomes a link. Pure.
 */
export function whereOf(endpoint: string, services: readonly Linked[]): Where {
  const text = readable(endpoint);
  if (text !== undefined) return { kind: 'here', text };
  const [, service, rest] = /^(did:[^/]+#[^/]+)\/(.+)$/.exec(endpoint) ?? [];
  const base = services.find(({ id }) => id === service)?.serviceEndpoint;
  const address = base === undefined ? endpoint : `${base.replace(/\/$/, '')}/${rest}`;
  return isPublic(address) ? { kind: 'link', href: address } : { kind: 'text', text: address.slice(0, SHOWN_CHARS) };
}

function isPublic(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false;
  // A name with a dot and letters at its end: no number, no name of a machine nearby.
  return /\.[a-z][a-z0-9-]+$/i.test(url.hostname) && !/\.(local|localhost|internal|lan|home|arpa)$/i.test(url.hostname);
}
/** The fields of an entity and its document that the view uses. */
export interface Entity {
  readonly id: string;
  readonly type: string;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly status: number;
  readonly relayer_node: string;
  readonly entity_verified: boolean;
  readonly accounts: readonly { readonly name: string; readonly address: string }[];
}

/** A part of a document. */
export interface Linked {
  readonly id: string;
  readonly type: string;
  readonly description?: string;
  readonly serviceEndpoint?: string;
  readonly mediaType?: string;
  readonly blockchainAccountID?: string;
}

export interface IidDocument {
  readonly controller: readonly string[];
  readonly verificationMethod: readonly Linked[];
  readonly service: readonly Linked[];
  readonly linkedResource: readonly Linked[];
  readonly linkedClaim: readonly Linked[];
  readonly linkedEntity: readonly { readonly id: string; readonly relationship: string; readonly type: string }[];
}
