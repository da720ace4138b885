import { ServiceError } from '@mlango/service-kit/errors';
import type { Codec } from '@mlango/transcoder/bind-message';

/**
 * The codec that a media type names.
 *
 * @param types the types that are taken, lower case
 * @throws {ServiceError} `unsupported_media_type` for another one
 */
export function codecOfType(type: string | undefined, types: Readonly<Record<string, Codec>>): Codec {
  const [name = '', ...parameters] = (type ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isUtf8 = parameters.every((parameter) => !/^charset=(?!"?utf-8"?$)/.test(parameter));
  const codec = isUtf8 && Object.hasOwn(types, name) ? types[name] : undefined;
  if (codec !== undefined) return codec;
  const accepted = Object.keys(types).join(', ');
  throw new ServiceError('unsupported_media_type', `Calls of this kind are ${accepted}`, {
    headers: { 'accept-post': accepted },
  });
}
