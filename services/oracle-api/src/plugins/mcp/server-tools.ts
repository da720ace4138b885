import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { OracleIdentity } from '../../identity/oracle-identity.js';
import { OutcomeUnknownError, type PluginTool, type ToolContext, ToolError } from '../api/plugin-tool.js';
import { ReplyTooLargeError } from './endpoint-fetch.js';
import { type Acting, actingInvocation, mayActFor, toolNameFor, userInvocation } from './invocations.js';
import { CutOffError } from './mcp-connection.js';
import type { McpServer } from './mcp-server.js';
import { resultForModel } from './result-for-model.js';
import type { RemoteTool } from './server-replies.js';

/** Maximum number of tools of one server; the rest is dropped, so that they do not fill the model's context. */
const toolsLimit = 64;
const descriptionChars = 2_000;
const schemaChars = 16_000;
const problemChars = 500;

type Oracle = Pick<OracleIdentity, 'did' | 'entityDid'>;

/** The server's current tools, as tools of the oracle. Never rejects. */
export async function serverTools(server: McpServer, oracle: Oracle, turn: Acting): Promise<PluginTool[]> {
  const { oracle: other } = server.setting;
  if (other !== undefined && !(await mayActFor(turn))) return [];
  const tools = await server.tools(
    other === undefined ? undefined : async () => bearer(await actingInvocation(other, turn)),
  );
  return tools
    .filter(({ inputSchema }) => JSON.stringify(inputSchema).length <= schemaChars)
    .slice(0, toolsLimit)
    .map((tool) => serverTool(server, oracle, tool));
}

function serverTool(server: McpServer, oracle: Oracle, tool: RemoteTool): PluginTool {
  const { name, description, inputSchema, isReadOnly } = tool;
  const { name: serverName, isProtected, oracle: other } = server.setting;
  return {
    name: toolNameFor(serverName, name),
    description: description?.trim().slice(0, descriptionChars) || `The tool ${name} of ${serverName}.`,
    inputSchema,
    isForeign: true,
    // The operator chose the server, so its read-only hint is trusted.
    effects: isReadOnly ? 'none' : 'outside',
    execute: async (args, context) => {
      const token = isProtected ? await userInvocation(oracle, serverName, name, context) : undefined;
      const shown = token ?? (other === undefined ? undefined : await actingInvocation(other, context));
      const { abortSignal } = context;
      const call =
        shown === undefined
          ? server.call(name, args, abortSignal)
          : server.callAlone(bearer(shown), name, args, abortSignal);
      const result = await call.catch((error: unknown) => {
        throw explained(serverName, error, context);
      });
      return resultForModel(result, (file) => context.addFile(file));
    },
  };
}

function bearer(token: string) {
  return { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' };
}

/** Explains a failure to the model. A failure that only an operator can fix is logged. */
function explained(server: string, error: unknown, { logger, abortSignal }: ToolContext): unknown {
  if (abortSignal.aborted) return error;
  if (error instanceof ReplyTooLargeError) return new ToolError('The result of the tool is too long to be read.');
  if (error instanceof McpError && error.code !== ErrorCode.ConnectionClosed) {
    return new ToolError(`${server} rejected this call: ${error.message.slice(0, problemChars)}`);
  }
  logger.warn({ err: error, server }, 'call of an MCP server failed');
  if (error instanceof CutOffError) return new OutcomeUnknownError(`${server} did not answer.`);
  const isRefused = error instanceof StreamableHTTPError && [401, 403].includes(error.code ?? 0);
  return new ToolError(isRefused ? `${server} refuses this call.` : `${server} cannot be reached just now.`);
}
