import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createTestOracle, type TestOracle, type TestUser } from '../src/create-test-oracle.js';
import { definePlugin, defineTool, type OraclePlugin, type ToolContext } from '../src/plugins/api/plugin-kit.js';

export interface Payment {
  readonly amount: number;
  readonly key: string;
}

export interface BankOptions {
  readonly version?: string;
  /** MCP clients of the user may call it too. */
  readonly isOffered?: boolean;
  readonly needsApproval?: (args: Readonly<Record<string, unknown>>) => boolean;
  readonly before?: (args: { amount: number }, context: ToolContext) => void | Promise<void>;
}

/** A bank plugin with a `pay` tool that needs approval. */
export function bank(
  paid: Payment[],
  { version = '1.0.0', isOffered = false, needsApproval = () => true, before }: BankOptions = {},
): OraclePlugin {
  return definePlugin({
    name: 'bank',
    version,
    manifest: { title: 'Bank', summary: 'Pays.', whenToUse: 'somebody is to be paid.', visibility: 'always' },
    getTools: () => [
      defineTool({
        name: 'pay',
        description: 'Pays an amount.',
        inputSchema: z.object({ amount: z.number() }),
        isOffered,
        needsApproval,
        async execute({ amount }, context) {
          await before?.({ amount }, context);
          paid.push({ amount, key: context.idempotencyKey });
          return { paid: amount };
        },
      }),
    ],
  });
}

interface Waiting {
  readonly runId: string;
  readonly toolCallId: string;
  readonly args: unknown;
  readonly title: string;
  readonly reason: string;
  readonly plugin: string;
}

/** An oracle of the running test, closed at its end. A hook of this module would only run in the first file that imports it. */
export async function open(plugins: OraclePlugin[], env: Record<string, string> = {}): Promise<TestOracle> {
  const oracle = await createTestOracle({ plugins, env });
  onTestFinished(() => oracle.close());
  return oracle;
}

/** Actions of a user at one oracle on pending calls. */
export function at(oracle: TestOracle, { headers }: Pick<TestUser, 'headers'>) {
  const request = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
    const reply = await oracle.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
    return { code: reply.statusCode, body: reply.json() };
  };
  const waiting = async (): Promise<Waiting[]> => (await request('GET', '/approvals')).body.approvals;
  const settle = async (decision: object, which?: Waiting) => {
    const call = which ?? (await waiting())[0];
    if (call === undefined) throw new Error('nothing waits');
    return request('POST', `/runs/${call.runId}/approvals/${call.toolCallId}`, decision);
  };
  const answer = async (session: string) => (await request('GET', `/messages/${session}`)).body.messages.at(-1);
  const runOf = async (session: string) => (await request('GET', `/sessions/${session}/run`)).body.run;
  const ended = async (session: string, status = 'finished') => {
    await expect.poll(async () => (await runOf(session)).status, { timeout: 10_000 }).toBe(status);
  };
  const pay = async (session: string, amount: number) =>
    request('POST', `/messages/${session}`, { message: `use the tool pay with {"amount":${amount}}` });
  return { request, waiting, settle, answer, runOf, ended, pay };
}
