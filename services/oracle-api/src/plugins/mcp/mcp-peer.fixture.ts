import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { z } from 'zod';

export interface SeenRequest {
  readonly method: string;
  /** Method of the JSON-RPC message. */
  readonly rpc: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** A server of the SDK on loopback, with sessions, which can drop them, stop and restart. */
export class McpPeer {
  readonly seen: SeenRequest[] = [];
  /** Answers instead of the server; returns true if it did. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  readonly #sessions = new Map<string, StreamableHTTPServerTransport>();
  #http: Server | undefined;
  readonly #serve: () => McpServer;
  #port = 0;

  constructor(serve: () => McpServer = toolServer) {
    this.#serve = serve;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/mcp`;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  async listen(): Promise<this> {
    const http = createServer((request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
    this.#http = http;
    await new Promise<void>((resolve) => {
      http.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (http.address() as AddressInfo).port;
    return this;
  }

  async close(): Promise<void> {
    this.forgetSessions();
    this.#http?.closeAllConnections();
    await new Promise((resolve) => this.#http?.close(resolve) ?? resolve(undefined));
  }

  forgetSessions(): void {
    this.#sessions.clear();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body: { method?: string } | undefined = text === '' ? undefined : JSON.parse(text);
    this.seen.push({ method: request.method ?? '', rpc: body?.method, headers: request.headers });
    if (this.intercept(request, response)) return;
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (known === undefined && body?.method !== 'initialize') {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}');
      return;
    }
    await (known ?? (await this.#newSession())).handleRequest(request, response, body);
  }

  async #newSession(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, transport);
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
    });
    await this.#serve().connect(transport as Transport);
    return transport;
  }
}

/** A PNG. */
export const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function toolServer(): McpServer {
  const server = new McpServer({ name: 'peer', version: '1.0.0' });
  const words = { inputSchema: { words: z.string() } };
  server.registerTool('echo', { description: 'Says it again.', ...words }, ({ words: said }) => text(said));
  const look = { description: 'Looks.', annotations: { readOnlyHint: true } };
  server.registerTool('look', { ...look, ...words }, ({ words: said }) => text(said));
  server.registerTool('add', { description: 'Adds.', inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
    ...text(`${a + b}`),
    structuredContent: { sum: a + b },
  }));
  server.registerTool('fail', { description: 'Fails.' }, () => ({ ...text('no such shelf'), isError: true }));
  server.registerTool('huge', { description: 'Gives too much.' }, () => text('x'.repeat(9 * 1024 * 1024)));
  server.registerTool('camera', { description: 'Takes a picture.' }, () => ({
    content: [
      { type: 'text', text: 'Here it is.' },
      { type: 'image', data: onePixel, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: { uri: 'file:///notes.csv', blob: Buffer.from('a,b').toString('base64'), mimeType: 'text/csv' },
      },
    ],
  }));
  server.registerTool('slow', { description: 'Never ends.' }, () => new Promise(() => undefined));
  server.registerTool('odd.name', { description: 'Has a name that models do not take.' }, () => text('odd'));
  return server;
}

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
