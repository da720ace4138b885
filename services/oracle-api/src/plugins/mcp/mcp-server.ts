import type { Outbound } from '@mlango/outbound/outbound';
import type { Logger } from '@mlango/service-kit/logging';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpConnection } from './mcp-connection.js';
import type { CallResult, RemoteTool } from './server-replies.js';
import type { McpServerSetting } from './settings.js';

export interface McpServerParts {
  readonly setting: McpServerSetting;
  readonly outbound: Outbound;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Time limit of a turn for the list of tools, in ms. Default 3,000. */
  readonly listLimitMs?: number;
}

interface Listed {
  readonly tools: readonly RemoteTool[];
  readonly untilMs: number;
}

type Headers = Readonly<Record<string, string>>;

/** Lifetime of a list of tools, and the pause after a server was unreachable. */
const listedForMs = 60_000;
const unreachableForMs = 15_000;

/** Statuses for an unknown session, after a restart of the server. The request was not processed. */
const unknownSession = [400, 404];

/** One server: connects on demand, and reconnects after a disconnect. */
export class McpServer {
  readonly #parts: McpServerParts;
  #listed: Listed = { tools: [], untilMs: 0 };
  #listing: Promise<readonly RemoteTool[]> | undefined;
  #connection: Promise<McpConnection> | undefined;

  constructor(parts: McpServerParts) {
    this.#parts = parts;
  }

  get setting(): McpServerSetting {
    return this.#parts.setting;
  }

  /**
   * The server's tools; empty while it is unreachable, which is logged. Never rejects.
   * @param headersOf headers of a separate session, for a server without a shared one; its list is still shared
   */
  tools(headersOf?: () => Promise<Headers>): Promise<readonly RemoteTool[]> {
    if (this.#parts.now().getTime() < this.#listed.untilMs) return Promise.resolve(this.#listed.tools);
    this.#listing ??= this.#list(headersOf).finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  /**
   * Calls a tool on the shared session; opens a new session once if the old one is unknown to the server. Rejects with errors of the
   * SDK or the network, and with `ReplyTooLargeError` and `CutOffError`.
   */
  call(tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallResult> {
    return this.#onSession(signal, (connection) => connection.call(tool, args, signal));
  }

  /** Calls a tool on a separate session with `headers`, which is never shared. */
  callAlone(
    headers: Headers,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<CallResult> {
    return this.#alone(headers, signal, (connection) => connection.call(tool, args, signal));
  }

  /** Ends the open session, if any. Never rejects. */
  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    if (connection?.isOver === false) await connection.close();
  }

  async #alone<Result>(headers: Headers, signal: AbortSignal, work: (connection: McpConnection) => Promise<Result>) {
    const connection = await McpConnection.open(this.#parts, signal, headers);
    try {
      return await work(connection);
    } finally {
      void connection.close();
    }
  }

  async #list(headersOf?: () => Promise<Headers>): Promise<readonly RemoteTool[]> {
    const { setting, logger, now, listLimitMs = 3_000 } = this.#parts;
    const signal = AbortSignal.timeout(listLimitMs);
    const listed = (tools: readonly RemoteTool[], forMs: number) => {
      this.#listed = { tools, untilMs: now().getTime() + forMs };
      return tools;
    };
    try {
      const listTools = (connection: McpConnection) => connection.tools(signal);
      const listing = headersOf
        ? this.#alone(await headersOf(), signal, listTools)
        : this.#onSession(signal, listTools);
      const { tools, unreadable } = await listing;
      if (unreadable > 0) logger.warn({ server: setting.name, unreadable }, 'tools of an MCP server not readable');
      return listed(tools, listedForMs);
    } catch (err) {
      logger.warn({ err, server: setting.name }, 'MCP server skipped: its tools cannot be listed');
      return listed([], unreachableForMs);
    }
  }

  async #onSession<Result>(signal: AbortSignal, work: (connection: McpConnection) => Promise<Result>): Promise<Result> {
    const connection = await this.#connected(signal);
    try {
      return await work(connection);
    } catch (error) {
      const isUnknown = error instanceof StreamableHTTPError && unknownSession.includes(error.code ?? 0);
      if (!isUnknown) throw error;
      return work(await this.#connected(signal));
    }
  }

  async #connected(signal: AbortSignal): Promise<McpConnection> {
    const known = await this.#connection?.catch(() => undefined);
    if (known?.isOver === false) return known;
    const opening = McpConnection.open(this.#parts, signal);
    this.#connection = opening;
    return opening;
  }
}
