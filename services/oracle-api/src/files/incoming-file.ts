import { ServiceError } from '@mlango/service-kit/errors';

/** A file in a request of another protocol. */
export interface IncomingFile {
  /** Its field in the request, for error texts: `messages[2].content[1].image_url`. */
  readonly place: string;
  readonly filename?: string | undefined;
  /** Media type as the client declares it; `image/*` if only the kind is known. */
  readonly mediaType?: string | undefined;
  readonly source:
    | { readonly kind: 'bytes'; readonly bytes: Buffer }
    | { readonly kind: 'url'; readonly url: string }
    /** Of `POST /attachments`. */
    | { readonly kind: 'upload'; readonly attachmentId: string };
}

/** Fields of a file in a request; null is absent, as clients of other protocols send it. */
interface Described {
  readonly filename?: string | null | undefined;
  readonly mediaType?: string | null | undefined;
}

/** Creates the refusal of a part of a request, with its place. */
export function refusedPart(place: string, message: string): ServiceError {
  return new ServiceError('invalid_argument', `${place}: ${message}`, { details: { fields: [place] } });
}

/** A file in a `data:` URL, or at an address. @throws ServiceError */
export function fileOfUrl(place: string, url: unknown, described: Described = {}): IncomingFile {
  if (typeof url !== 'string' || url === '') throw refusedPart(place, 'must be a data: URL or an https:// address');
  if (!/^data:/i.test(url)) return fileAtAddress(place, url, described);
  const comma = url.indexOf(',');
  const [, type = '', coding] = /^data:([^;,]*)(?:;[^;,=]+=[^;,]*)*(;base64)?$/i.exec(url.slice(0, comma)) ?? [];
  if (comma === -1 || coding === undefined) throw refusedPart(place, 'a data: URL must be data:<media type>;base64,…');
  return fileOfBase64(place, url.slice(comma + 1), { mediaType: type || undefined, ...defined(described) });
}

/** @throws ServiceError */
export function fileOfBase64(place: string, base64: unknown, described: Described = {}): IncomingFile {
  if (typeof base64 !== 'string' || !isBase64(base64)) throw refusedPart(place, 'must be base64');
  return { place, ...defined(described), source: { kind: 'bytes', bytes: Buffer.from(base64, 'base64') } };
}

/** Padded, or without padding. Source: RFC 4648, section 4. */
function isBase64(text: string): boolean {
  const [, padding] = /^[A-Za-z0-9+/]+(={0,2})$/.exec(text) ?? [];
  return padding === '' ? text.length % 4 !== 1 : padding !== undefined && text.length % 4 === 0;
}

/** @throws ServiceError */
export function fileOfUpload(place: string, attachmentId: unknown, described: Described = {}): IncomingFile {
  if (typeof attachmentId !== 'string' || attachmentId === '' || attachmentId.length > 128) {
    throw refusedPart(place, 'must be the attachmentId of POST /attachments');
  }
  return { place, ...defined(described), source: { kind: 'upload', attachmentId } };
}

function fileAtAddress(place: string, url: string, described: Described): IncomingFile {
  if (!/^(https?|mxc):\/\//.test(url) || url.length > 2_048 || !URL.canParse(url)) {
    throw refusedPart(place, 'must be a data: URL or an https:// address of at most 2048 characters');
  }
  return { place, ...defined(described), source: { kind: 'url', url } };
}

/** Without fields that are absent. */
function defined({ filename, mediaType }: Described): Pick<IncomingFile, 'filename' | 'mediaType'> {
  return { ...(filename ? { filename } : {}), ...(mediaType ? { mediaType } : {}) };
}
