import { ServiceError } from '@mlango/service-kit/errors';
import type { ReadResourceResult, Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import type { PluginResource } from '../../plugins/api/plugin-resource.js';

/** A number of this protocol. */
const resourceNotFound = -32_002;

const mimeType = 'application/json';

/** Of one list, of each plugin. */
const pageSize = 50;
/** Pages that can be asked for. */
const mostPages = 200;
const titleChars = 80;

/** A page of the resources of a user. */
export async function listResources(
  resources: readonly PluginResource[],
  ownerDid: string,
  cursor: string | undefined,
) {
  const page = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(page) || page < 0 || page > mostPages)
    throw new ServiceError('invalid_argument', 'There is no such cursor');
  const pages = await Promise.all(
    resources.map(async (resource) => {
      const { uriPrefix, name } = resource;
      const listed = (await resource.list?.(ownerDid, { limit: pageSize, offset: page * pageSize })) ?? [];
      return listed.map(
        ({ id, title }): Resource => ({
          uri: `${uriPrefix}${encodeURIComponent(id)}`,
          name: `${name} ${id}`,
          title: title.length > titleChars ? `${title.slice(0, titleChars)}…` : title,
          mimeType,
        }),
      );
    }),
  );
  const isMore = pages.some(({ length }) => length === pageSize);
  return { resources: pages.flat(), ...(isMore ? { nextCursor: String(page + 1) } : {}) };
}

export function resourceTemplates(resources: readonly PluginResource[]): ResourceTemplate[] {
  return resources.map(({ uriPrefix, name, description }) => ({
    uriTemplate: `${uriPrefix}{id}`,
    name,
    description,
    mimeType,
  }));
}

/** @throws ServiceError for what this user has not. */
export async function readResource(
  resources: readonly PluginResource[],
  ownerDid: string,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const resource = resources.find(({ uriPrefix }) => uri.startsWith(uriPrefix) && uri.length > uriPrefix.length);
  const id = resource && decoded(uri.slice(resource.uriPrefix.length));
  const thing = id === undefined ? undefined : await resource?.read(ownerDid, id, signal);
  if (thing === undefined) {
    throw new ServiceError('not_found', 'Resource not found', {
      details: { rpcCode: resourceNotFound, uri: uri.slice(0, 200) },
    });
  }
  return { contents: [{ uri, mimeType, text: JSON.stringify(thing) }] };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
