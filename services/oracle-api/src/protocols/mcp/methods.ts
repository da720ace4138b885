import { z } from 'zod';
import type { PluginResource } from '../../plugins/api/plugin-resource.js';
import type { OfferedTool } from '../../plugins/host/plugin-offer.js';
import { version } from '../../version.js';
import { paramsAs, type RpcId, resultOf, unknownMethod } from '../json-rpc.js';
import { listResources, readResource, resourceTemplates } from './resources.js';
import { listTools } from './tools.js';

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

const asked = z.looseObject({ protocolVersion: z.string() });
const listed = z.looseObject({ cursor: z.string().max(10).optional() });
const read = z.looseObject({ uri: z.string().min(1).max(2_000) });

/** How long a resource may take. */
const readMs = 10_000;

/** Answers a request that is answered at once. Rejects with a ServiceError. */
export async function answerOf(
  parts: MethodParts,
  ownerDid: string,
  { id, method, params }: RpcRequest,
): Promise<object & { jsonrpc: '2.0' }> {
  const { oracle, offered } = parts;
  switch (method) {
    case 'initialize':
      return resultOf(id, {
        protocolVersion: versions.find((one) => one === paramsAs(asked, params).protocolVersion) ?? versions[0],
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: oracle.name, version },
        instructions: `${oracle.name} is an agent: say things to it with the tool "ask". The other tools are its own, to be called without it.`,
      });
    case 'ping':
      return resultOf(id, {});
    case 'tools/list':
      return resultOf(id, { tools: listTools(oracle.name, offered.tools) });
    case 'resources/list':
      return resultOf(id, await listResources(offered.resources, ownerDid, paramsAs(listed, params).cursor));
    case 'resources/templates/list':
      return resultOf(id, { resourceTemplates: resourceTemplates(offered.resources) });
    case 'resources/read':
      return resultOf(
        id,
        await readResource(offered.resources, ownerDid, paramsAs(read, params).uri, AbortSignal.timeout(readMs)),
      );
    default:
      return unknownMethod(id, method);
  }
}
