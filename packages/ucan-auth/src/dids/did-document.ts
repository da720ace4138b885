import { base58btc } from 'multiformats/bases/base58';
import { keyOfMultibase } from './did-key.js';

const KEY_BYTES = 32;
const KEYS_LIMIT = 8;
const HEX_KEY = /^[0-9a-fA-F]{64}$/;

/** The text of a response body. Rejects as soon as it is longer than `limitBytes`, without reading the rest. */
export async function readBoundedText(body: AsyncIterable<unknown>, limitBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    length += chunk.length;
    if (length > limitBytes) throw new Error('the response is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Ed25519 public keys of verification methods, in order, without duplicates, at most eight. Accepted encodings: multibase (`z…` with the
 * multicodec prefix, or without it if the type of the method is Ed25519), base58, hex and JWK. Other entries are skipped.
 */
export function ed25519KeysOf(methods: unknown): readonly Uint8Array[] {
  const list: readonly unknown[] = Array.isArray(methods) ? methods : [];
  const keys = new Map<string, Uint8Array>();
  for (const method of list) {
    const key = isObject(method) ? keyOfMethod(method) : undefined;
    if (key !== undefined) keys.set(Buffer.from(key).toString('hex'), key);
    if (keys.size === KEYS_LIMIT) break;
  }
  return [...keys.values()];
}

/**
 * Verification methods for authentication in a DID document: those that `authentication` embeds or refers to, with or without the DID
 * before the `#`. Without the member `authentication` all methods count, because some sources omit it. Lists may also be JSON text.
 */
export function authenticationMethods(document: unknown): readonly unknown[] {
  const { id, verificationMethod, authentication }: DidDocument = isObject(document) ? document : {};
  const methods = listOf(verificationMethod);
  if (authentication === undefined) return methods;
  const listed = listOf(authentication);
  const full = (reference: unknown) =>
    typeof reference === 'string' && reference.startsWith('#') ? `${String(id)}${reference}` : reference;
  const names = new Set(listed.filter((entry) => typeof entry === 'string').map(full));
  return [...methods.filter((method) => isObject(method) && names.has(full(method['id']))), ...listed.filter(isObject)];
}

type DidDocument = Readonly<Partial<Record<'id' | 'verificationMethod' | 'authentication', unknown>>>;

function listOf(value: unknown): readonly unknown[] {
  const list: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  return Array.isArray(list) ? list : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

type Method = Readonly<
  Partial<Record<'type' | 'publicKeyMultibase' | 'publicKeyBase58' | 'publicKeyHex' | 'publicKeyJwk', unknown>>
>;

function keyOfMethod(method: Method): Uint8Array | undefined {
  const isEd25519 = typeof method.type === 'string' && method.type.startsWith('Ed25519');
  const multibase = textOf(method.publicKeyMultibase);
  if (multibase !== undefined) {
    return keyOfMultibase(multibase) ?? (isEd25519 ? bareMultibaseKey(multibase) : undefined);
  }
  if (isEd25519) {
    const base58 = textOf(method.publicKeyBase58);
    if (base58 !== undefined) return base58Key(base58);
    const hex = textOf(method.publicKeyHex);
    if (hex !== undefined) return hexKey(hex);
  }
  return jwkKey(method.publicKeyJwk);
}

function bareMultibaseKey(text: string): Uint8Array | undefined {
  if (text.startsWith('z')) return base58Key(text.slice(1));
  return /^f/i.test(text) ? hexKey(text.slice(1)) : undefined;
}

function base58Key(text: string): Uint8Array | undefined {
  if (text.length > 64) return undefined;
  try {
    const bytes = base58btc.baseDecode(text);
    return bytes.length === KEY_BYTES ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function hexKey(text: string): Uint8Array | undefined {
  return HEX_KEY.test(text) ? new Uint8Array(Buffer.from(text, 'hex')) : undefined;
}

function jwkKey(jwk: unknown): Uint8Array | undefined {
  if (typeof jwk !== 'object' || jwk === null) return undefined;
  const { kty, crv, x }: { kty?: unknown; crv?: unknown; x?: unknown } = jwk;
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') return undefined;
  const bytes = Buffer.from(x, 'base64url');
  return bytes.length === KEY_BYTES ? new Uint8Array(bytes) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
