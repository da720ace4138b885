import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startBuilt } from '@mlango/test-services/program';
import { endServices, startService } from './service-process.js';

const flows = fileURLToPath(new URL('../../../../examples/ask-by-phone/flows', import.meta.url));
const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export const oracleDid = 'did:ixo:entity:e0001';

/** The real oracle with a model that returns `answer`, and real gateways that use it. `close` ends all of it. */
export async function openOracleWorld() {
  const model = await openModel();
  const data = mkdtempSync(join(tmpdir(), 'ussd-oracle-'));
  const oracleEnv = {
    PORT: '0',
    DRAIN_DELAY_MS: '0',
    LLM_BASE_URL: model.url,
    LLM_MODEL: 'stand-in',
    LOG_LEVEL: 'trace',
    DATA_DIR: join(data, 'oracle'),
    RATE_LIMIT_PER_ADDRESS: '100000',
    ORACLE_ENTITY_DID: oracleDid,
  };
  const oracle = await startBuilt('services/oracle-api/dist/main.js', oracleEnv);
  const gatewayEnv = (folder: string) => ({
    FLOWS_DIR: flows,
    ORACLE_URL: oracle.address,
    ORACLE_DID: oracleDid,
    DATA_DIR: join(data, folder),
  });
  // A busy machine is not a slow oracle: by default hops wait for answers as long as they may.
  const startGateway = (env: Readonly<Record<string, string>> = {}, folder = 'gateway') =>
    startService({ ...gatewayEnv(folder), LOG_LEVEL: 'trace', HOP_DEADLINE_MS: '30000', ...env });
  /** Runs a command on the data of the first gateway, which has ended. Resolves with its output. */
  const command = async (...args: readonly string[]) =>
    (await promisify(execFile)(process.execPath, [cli, ...args], { env: gatewayEnv('gateway') })).stdout;
  const close = async () => {
    model.close();
    await endServices();
    rmSync(data, { recursive: true, force: true });
  };
  return { model, oracle, startGateway, command, close };
}

/** A model of the chat completions protocol. `requests` has all its input. */
async function openModel() {
  const requests: string[] = [];
  const model = { answer: async (_question: string): Promise<string> => 'Sawa.', requests, url: '', close: () => {} };
  const reply = async (body: string, response: ServerResponse) => {
    requests.push(body);
    const { messages } = JSON.parse(body) as { messages: { role: string; content: unknown }[] };
    const question = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content ?? '');
    const content = await model.answer(question);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [delta, finish] of [
      [{ content: content }, null],
      [{}, 'stop'],
    ] as const) {
      const choices = [{ index: 0, delta, finish_reason: finish }];
      response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices })}\n\n`);
    }
    response.end('data: [DONE]\n\n');
  };
  const server = createServer((incoming, response) => {
    text(incoming)
      .then((body) => reply(body, response))
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  model.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return model;
}
