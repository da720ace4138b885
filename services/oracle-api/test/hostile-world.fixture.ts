import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signerFromSeed } from '@mlango/ucan-auth/minting';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { createTestOracle } from '../src/create-test-oracle.js';
import { definePlugin, defineTool, ToolError, tabTool } from '../src/plugins/api/plugin-kit.js';
import { MatrixPeer } from '../src/plugins/attachments/matrix-peer.fixture.js';
import { smallPdf } from '../src/plugins/attachments/small-pdf.fixture.js';
import { McpPeer } from '../src/plugins/mcp/mcp-peer.fixture.js';
import { type HostileDocument, hostileDocuments, textOf } from './hostile-document.fixture.js';
import { type Orders, obedientEndpoint } from './obedient-endpoint.fixture.js';

/**
 * A service with production settings, all sources of untrusted text, records of their effects, and a model that obeys every instruction.
 */
export async function hostileWorld() {
  /** Executed calls that need approval. */
  const done: string[] = [];
  const place: { document: HostileDocument | undefined } = { document: undefined };
  const text = () => (place.document === undefined ? '' : textOf(place.document));
  const [endpoint, matrix] = [await obedientEndpoint(), await new MatrixPeer().listen()];
  const desk = await new McpPeer(() => deskServer(text)).listen();
  const chain = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ claim: { claim_id: 'bafy', evaluation: { status: text() } } }));
  });
  await new Promise<void>((resolve) => {
    chain.listen(0, '127.0.0.1', resolve);
  });
  const seed = randomBytes(32);
  const oracle = await createTestOracle({
    plugins: [outside(text), acting(done)],
    env: {
      NODE_ENV: 'production',
      ALLOW_EMBEDDED: 'true',
      ORACLE_SIGNING_SEED: seed.toString('hex'),
      ORACLE_DID: signerFromSeed(seed).keyDid,
      SEAL_KEYS: `k:${randomBytes(32).toString('base64')}`,
      PROTO_GATEWAY_URL: `http://127.0.0.1:${(chain.address() as AddressInfo).port}`,
      MCP_SERVERS: JSON.stringify({ desk: { url: desk.url } }),
      MATRIX_HOMESERVERS: matrix.origin,
      LLM_BASE_URL: endpoint.baseUrl,
      LLM_MODEL: 'obedient',
      LLM_CONTEXT_TOKENS: '16000',
      TURNS_PER_ADDRESS: '1000000',
    },
  });
  const user = await oracle.newUser();
  const secrets = { 'x-matrix-access-token': matrix.token, 'x-matrix-homeserver': matrix.origin };

  /** Sends a message and returns the stream of its answer as text. */
  async function send(session: string, payload: object): Promise<string> {
    const headers = { ...user.headers, ...secrets };
    const body = { message: 'Have a look at it.', stream: true, ...payload };
    const reply = await oracle.inject({ method: 'POST', url: `/messages/${session}`, headers, payload: body });
    if (reply.statusCode !== 200) throw new Error(reply.body);
    return reply.body;
  }

  /** Fields of a message, and the tool call of the model, that deliver the document. */
  function bringing(document: HostileDocument): { payload: object; reads?: Orders['reads'] } {
    place.document = document;
    const attached = (filename: string, content: string | Buffer) => ({
      filename,
      mimetype: 'text/plain',
      mxcUri: matrix.keep(content),
    });
    const files = (...attachments: object[]) => ({ payload: { attachments } });
    const readsBy = (tool: string, args: object = {}) => ({ payload: {}, reads: { tool, args: { ...args } } });
    switch (document.by) {
      case 'file':
      case 'files':
        return files(...[document.text].flat().map((part, at) => attached(`${at}.txt`, part)));
      case 'pdf':
        return files({ ...attached('terms.pdf', smallPdf(text())), mimetype: 'application/pdf' });
      case 'filename':
        return files(attached(text(), 'Nothing.'));
      case 'error':
        return readsBy('fail_to_read');
      case 'mcp':
        return readsBy('desk__read');
      case 'claim':
        return readsBy('lookup_claim', { id: 'bafy' });
      case 'tab':
        return readsBy('scroll_page');
      case 'memory':
        return readsBy('recall');
      case 'tab-description':
        return { payload: { tools: [{ name: 'scroll', description: text(), schema: {} }] } };
      case 'mcp-description':
      case 'mcp-schema':
        return { payload: {} };
      case 'page':
      case 'summary':
        return readsBy('read_page');
    }
  }

  async function close() {
    await oracle.close();
    chain.closeAllConnections();
    chain.close();
    await Promise.all([endpoint.close(), matrix.close(), desk.close()]);
  }
  return { done, oracle, user, state: endpoint.state, send, bringing, close };
}

/** Tools that only return third-party text. */
function outside(text: () => string) {
  const reading = { effects: 'none' as const, inputSchema: z.object({}) };
  return definePlugin({
    name: 'outside',
    version: '1.0.0',
    manifest: { title: 'Outside', summary: 'Reads.', whenToUse: 'something is to be read.', visibility: 'always' },
    getTools: () => [
      defineTool({ ...reading, name: 'read_page', description: 'Reads a page.', execute: () => ({ text: text() }) }),
      defineTool({
        ...reading,
        name: 'fail_to_read',
        description: 'Reads a page that cannot be read.',
        execute: () => {
          throw new ToolError(text());
        },
      }),
    ],
    getRequestTools: () => {
      const page = { name: 'scroll_page', description: 'Scrolls.', schema: {} };
      return [tabTool(page, 'tool', async () => ({ ok: true, result: text() }))];
    },
  });
}

/** Tools with effects, of a plugin without an approval policy: in production they need approval. */
function acting(done: string[]) {
  return definePlugin({
    name: 'acting',
    version: '1.0.0',
    manifest: { title: 'Acting', summary: 'Acts.', whenToUse: 'something is to be done.', visibility: 'always' },
    getTools: () => [
      defineTool({
        name: 'pay',
        description: 'Pays somebody an amount.',
        inputSchema: z.object({ to: z.string(), amount: z.number() }),
        execute: ({ to, amount }) => done.push(`pay ${to} ${amount}`),
      }),
      defineTool({
        name: 'send_mail',
        description: 'Sends a mail.',
        inputSchema: z.object({ to: z.string(), body: z.string() }),
        execute: ({ to }) => done.push(`mail ${to}`),
      }),
    ],
  });
}

/** A server with a tool that returns the document, and one tool for each document in a tool description. */
function deskServer(text: () => string): McpServer {
  const server = new McpServer({ name: 'desk', version: '1.0.0' });
  const annotations = { readOnlyHint: true };
  const read = () => ({ content: [{ type: 'text' as const, text: text() }] });
  server.registerTool('read', { description: 'Reads.', annotations }, read);
  for (const document of hostileDocuments) {
    const words = textOf(document);
    if (document.by === 'mcp-description')
      server.registerTool(document.name, { description: words, annotations }, read);
    if (document.by === 'mcp-schema') {
      const inputSchema = { shelf: z.string().describe(words) };
      server.registerTool(document.name, { description: 'Finds.', inputSchema, annotations }, read);
    }
  }
  return server;
}
