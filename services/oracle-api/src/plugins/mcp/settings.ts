import { firstProblem } from '@mlango/service-kit/errors';
import { parseJson } from '@mlango/service-kit/parse-json';
import { z } from 'zod';

const serversLimit = 16;

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && `${username}${password}${hash}` === '';
}

/** Headers that the transport sets itself. */
const ownHeaders = /^(?:host|content-|transfer-|connection$|accept$|mcp-|last-event-id$)/i;

const server = z.strictObject({
  url: z.string().refine(isEndpoint, 'must be a URL starting with http:// or https://, without a user or a fragment'),
  /** Whether each call needs an invocation of the user. */
  protected: z.boolean('must be true or false').default(false),
  /** The DID of the server's oracle, if it is one: it is called for the user of the turn, within the user's delegation. */
  oracle: z
    .string()
    .regex(/^did:[a-z0-9]+:\S{1,200}$/, 'must be a DID')
    .optional(),
  /** Sent with each request: the oracle's own credentials at the server. */
  headers: z
    .record(
      z.string().regex(/^[\w-]{1,64}$/, 'must be the name of a header'),
      z.string().regex(/^[\x20-\x7e]{1,4096}$/, 'must be printable ASCII'),
    )
    .refine(
      (headers) => Object.keys(headers).every((name) => !ownHeaders.test(name)),
      'has a header that the protocol sets',
    )
    .default({}),
});

const entry = server.refine(({ protected: isProtected, oracle }) => !isProtected || oracle === undefined, {
  path: ['protected'],
  message: 'an oracle is called with a delegation of the user, not with an invocation',
});

const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,23}$/, 'must be a name of lower-case letters, digits and -, at most 24');
const servers = z
  .record(name, entry)
  .refine((all) => Object.keys(all).length > 0, 'must name at least one server')
  .refine((all) => Object.keys(all).length <= serversLimit, `must name at most ${serversLimit} servers`);

function settingOf([name, { protected: isProtected, ...rest }]: [string, z.output<typeof server>]) {
  return { name, ...rest, isProtected };
}

/** A server in `MCP_SERVERS`. */
export type McpServerSetting = Readonly<ReturnType<typeof settingOf>>;

export const mcpSettings = z.object({
  MCP_SERVERS: z
    .string()
    .transform((text, context): readonly McpServerSetting[] => {
      const refuse = (message: string) => {
        context.issues.push({ code: 'custom', message, input: undefined });
        return z.NEVER;
      };
      const json = parseJson(text);
      if (json === undefined) return refuse('must be JSON such as {"search":{"url":"https://mcp.example/mcp"}}');
      const read = servers.safeParse(json);
      // Never the value itself: headers are secrets.
      if (!read.success) return refuse(firstProblem(read.error));
      return Object.entries(read.data).map(settingOf);
    })
    .describe('Servers of [`mcp`](src/plugins/mcp/README.md), JSON: `{"search":{"url":"https://mcp.example/mcp"}}`'),
});
