import { sendLimits } from '@mlango/schemas/oracle-send';
import { ServiceError } from '@mlango/service-kit/errors';
import type { ReadResourceResult, Resource, ResourceTemplate, Tool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { PluginResource } from '../../plugins/api/plugin.js';
import type { OfferedTool } from '../../plugins/host/plugin-start.js';
import { version } from '../../version.js';
import { storableText } from '../fields.js';
import { paramsAs, type RpcId, resultOf, unknownMethod } from '../json-rpc.js';
import { resourceNotFound } from './errors.js';

interface MethodParts {
  readonly oracle: { readonly name: string };
  readonly offered: { readonly tools: readonly OfferedTool[]; readonly resources: readonly PluginResource[] };
}

interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Newest first. */
const versions = ['2025-11-25', '2025-06-18'] as const;

const initializeParams = z.looseObject({ protocolVersion: z.string() });
const listParams = z.looseObject({ cursor: z.string().max(10).optional() });
const readParams = z.looseObject({ uri: z.string().min(1).max(2_000) });

/** Time limit of reading a resource. */
const readMs = 10_000;

/** Handles requests other than `tools/call`. @throws ServiceError */
export async function answerWithoutRun(
  parts: MethodParts,
  ownerDid: string,
  { id, method, params }: RpcRequest,
): Promise<object & { jsonrpc: '2.0' }> {
  const { oracle, offered } = parts;
  switch (method) {
    case 'initialize':
      return resultOf(id, {
        protocolVersion:
          versions.find((one) => one === paramsAs(initializeParams, params).protocolVersion) ?? versions[0],
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: oracle.name, version },
        instructions: `${oracle.name} is an agent: send messages to it with the tool "ask". The other tools are called directly.`,
      });
    case 'ping':
      return resultOf(id, {});
    case 'tools/list':
      return resultOf(id, { tools: listTools(oracle.name, offered.tools) });
    case 'resources/list':
      return resultOf(id, await listResources(offered.resources, ownerDid, paramsAs(listParams, params).cursor));
    case 'resources/templates/list':
      return resultOf(id, { resourceTemplates: resourceTemplates(offered.resources) });
    case 'resources/read':
      return resultOf(
        id,
        await readResource(offered.resources, ownerDid, paramsAs(readParams, params).uri, AbortSignal.timeout(readMs)),
      );
    default:
      return unknownMethod(id, method);
  }
}

const mimeType = 'application/json';

/** Resources per page and plugin. */
const pageSize = 50;
/** Highest page number. */
const mostPages = 200;
const titleChars = 80;

/** A page of a user's resources. */
async function listResources(resources: readonly PluginResource[], ownerDid: string, cursor: string | undefined) {
  const page = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(page) || page < 0 || page > mostPages)
    throw new ServiceError('invalid_argument', 'Unknown cursor');
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

function resourceTemplates(resources: readonly PluginResource[]): ResourceTemplate[] {
  return resources.map(({ uriPrefix, name, description }) => ({
    uriTemplate: `${uriPrefix}{id}`,
    name,
    description,
    mimeType,
  }));
}

/** @throws ServiceError for a resource that the user does not have */
async function readResource(
  resources: readonly PluginResource[],
  ownerDid: string,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const resource = resources.find(({ uriPrefix }) => uri.startsWith(uriPrefix) && uri.length > uriPrefix.length);
  const id = resource && decoded(uri.slice(resource.uriPrefix.length));
  const thing = id === undefined ? undefined : await resource?.read(ownerDid, id, signal);
  if (thing === undefined) throw resourceNotFound(uri);
  return { contents: [{ uri, mimeType, text: JSON.stringify(thing) }] };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The tool that sends a message to the oracle; a plugin tool of this name is hidden. */
export const messageToolName = 'ask';

export const messageToolArgs = z.object({
  message: z.string().overwrite(storableText).min(1).max(sendLimits.messageChars).describe('message to the oracle'),
  session: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('the conversation to continue, from an earlier result; a new one if absent'),
  model: z.string().max(sendLimits.modelChars).optional().describe('id of a model of the oracle'),
});

/** Tools for programs: `ask` and the offered tools of plugins. */
function listTools(oracleName: string, offered: readonly OfferedTool[]): Tool[] {
  const messageTool = {
    name: messageToolName,
    title: `Ask ${oracleName}`,
    description: `Sends a message to the agent ${oracleName} and returns its answer. The agent can call its own tools, and stores the conversation.`,
    inputSchema: z.toJSONSchema(messageToolArgs, { io: 'input' }) as Tool['inputSchema'],
  };
  return [
    messageTool,
    ...offered
      .filter(({ name }) => name !== messageToolName)
      .map(({ name, description, schema, isHarmless }) => ({
        name,
        description,
        inputSchema: schema as Tool['inputSchema'],
        annotations: { readOnlyHint: isHarmless },
      })),
  ];
}
