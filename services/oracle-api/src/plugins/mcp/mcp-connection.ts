import type { Outbound } from '@mlango/outbound/outbound';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { version } from '../../version.js';
import { endpointFetch, NotSentError, ReplyTooLargeError } from './endpoint-fetch.js';
import { type CallResult, callResult, type RemoteTool, readTool, toolPage } from './server-replies.js';
import type { McpServerSetting } from './settings.js';

/** The call may have been made: the connection broke before the reply, or the reply is inconclusive. */
export class CutOffError extends Error {
  override readonly name = 'CutOffError';
}

/** A reply may contain files in base64. */
const limits = { replyBytes: 8 * 1024 * 1024, goodbyeMs: 2_000 };
const pagesLimit = 10;

/** Longer than any caller waits: the caller's signal ends a request. */
const sdkTimeoutMs = 300_000;

/** Address and network access of a session. */
interface ConnectionTarget {
  readonly setting: McpServerSetting;
  readonly outbound: Outbound;
}

/** A session with a server. After a failure of the connection it is unusable: `isOver`. */
export class McpConnection {
  readonly #client: Client;
  readonly #transport: StreamableHTTPClientTransport;
  #isOver = false;
  #isTooLarge = false;
  #failure: Error | undefined;

  private constructor({ setting, outbound }: ConnectionTarget, moreHeaders: Readonly<Record<string, string>>) {
    const { url, headers } = setting;
    this.#client = new Client({ name: 'mlango-oracle', version }, { capabilities: {} });
    this.#transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { ...lowerCase(headers), ...moreHeaders } },
      fetch: endpointFetch(url, outbound, limits, () => {
        this.#isTooLarge = true;
      }),
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 1_000,
        reconnectionDelayGrowFactor: 1,
      },
    });
    // Set on the transport only: the client also reports ignored messages there, such as progress with an unknown token.
    this.#transport.onerror = (error) => {
      this.#isOver = true;
      // These errors reach the caller. A broken reply would reach no caller, so all pending requests fail now.
      if (error instanceof StreamableHTTPError || error instanceof NotSentError) return;
      this.#failure ??= error;
      this.#drop();
    };
    this.#client.onclose = () => {
      this.#isOver = true;
    };
  }

  /** Rejects with errors of the SDK or the network, also when `signal` is aborted. */
  static async open(
    target: ConnectionTarget,
    signal: AbortSignal,
    moreHeaders: Readonly<Record<string, string>> = {},
  ): Promise<McpConnection> {
    const connection = new McpConnection(target, moreHeaders);
    // The SDK's own transport does not fit its own interface under exactOptionalPropertyTypes.
    const transport = connection.#transport as Transport;
    try {
      await withRequestOptions(signal, (options) => connection.#client.connect(transport, options));
    } catch (error) {
      connection.#drop();
      throw connection.#reason(error);
    }
    return connection;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Lists all tools of the server, over at most ten pages, and counts the unreadable ones. */
  async tools(signal: AbortSignal): Promise<{ tools: RemoteTool[]; unreadable: number }> {
    const tools = new Map<string, RemoteTool>();
    const cursors = new Set<string | undefined>();
    let unreadable = 0;
    let cursor: string | undefined;
    // Some servers repeat the same cursor forever.
    while (cursors.size < pagesLimit && !cursors.has(cursor)) {
      cursors.add(cursor);
      const params = cursor === undefined ? {} : { cursor };
      const page = await withRequestOptions(signal, (options) =>
        this.#client.request({ method: 'tools/list', params }, toolPage, options),
      );
      for (const listed of page.tools) {
        const tool = readTool(listed);
        if (tool === undefined) unreadable += 1;
        else tools.set(tool.name, tool);
      }
      if (!page.nextCursor) break;
      cursor = page.nextCursor;
    }
    return { tools: [...tools.values()], unreadable };
  }

  /** Rejects with `CutOffError` if the tool may have been called. */
  async call(tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallResult> {
    try {
      const params = { name: tool, arguments: { ...args } };
      return await withRequestOptions(signal, (options) =>
        this.#client.request({ method: 'tools/call', params }, callResult, options),
      );
    } catch (error) {
      if (this.#isTooLarge) throw new ReplyTooLargeError('the result', { cause: error });
      throw isRefusal(error) ? error : new CutOffError('no answer', { cause: this.#reason(error) });
    }
  }

  /** Ends the session, within two seconds. Never rejects. */
  async close(): Promise<void> {
    await this.#transport.terminateSession().catch(() => undefined);
    this.#drop();
  }

  /** Prefers the cause of the closed connection over the error of the closing. */
  #reason(error: unknown): unknown {
    return error instanceof McpError && error.code === ErrorCode.ConnectionClosed ? (this.#failure ?? error) : error;
  }

  #drop(): void {
    this.#isOver = true;
    this.#client.close().catch(() => undefined);
  }
}

/** Whether a failure proves that the tool was not called: the request was not sent, or the server rejects such a call. */
function isRefusal(error: unknown): boolean {
  if (error instanceof McpError) return error.code !== ErrorCode.ConnectionClosed;
  if (!(error instanceof StreamableHTTPError)) return error instanceof NotSentError;
  return error.code !== undefined && error.code >= 400 && error.code < 500;
}

/**
 * Aborts a request with `signal`, but not after its reply: the SDK notifies the server of a cancellation at every abort, and a
 * deadline always aborts in the end.
 */
async function withRequestOptions<Result>(
  signal: AbortSignal,
  work: (options: { signal: AbortSignal; timeout: number }) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await work({ signal: controller.signal, timeout: sdkTimeoutMs });
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
