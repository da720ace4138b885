import { randomBytes } from 'node:crypto';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { assembleOracle, type OracleApp, type OracleAppOptions } from '../../oracle.js';

export interface ToolOutcome {
  readonly status: string | undefined;
  /** What the model was given: the result, or `{ error }`. */
  readonly output: unknown;
}

/** Somebody who talks to the oracle, with a key of their own. */
export interface TestUser {
  readonly did: string;
  /** Headers that authenticate them, for `inject`. */
  readonly headers: Readonly<Record<string, string>>;
  /** A new session: its id. */
  openSession(): Promise<string>;
  /** Says something, in a new session unless told which, and gives what was answered. */
  say(message: string, sessionId?: string): Promise<string>;
  /** Has the built-in model call a tool by its name, and gives what came of it. */
  callTool(name: string, args?: Readonly<Record<string, unknown>>, sessionId?: string): Promise<ToolOutcome>;
}

export interface TestOracle extends OracleApp {
  /** A user that nobody else is. */
  newUser(): Promise<TestUser>;
}

/**
 * The real thing for tests of plugins: an oracle with a database in memory, a key of its own and the built-in model, which
 * does as it is told. `env` adds variables, or replaces those it comes with. Close it at the end.
 */
export async function createTestOracle(options: Partial<OracleAppOptions> = {}): Promise<TestOracle> {
  const { oracle, app } = await assembleOracle({
    config: { name: 'Test oracle' },
    ...options,
    env: { ...testEnvironment(), ...options.env },
  });
  // A test works on the oracle's own event loop: that it keeps the loop busy is no overload.
  Object.assign(app, { isUnderPressure: () => false });
  return { ...oracle, newUser: () => newUser(oracle) };
}

function testEnvironment() {
  return {
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: 'memory://reused',
    LOG_LEVEL: 'silent',
    PRIVATE_HOSTS: 'localhost,127.0.0.1,[::1]',
    ORACLE_SIGNING_SEED: randomBytes(32).toString('hex'),
    LOCAL_MODEL_PACE_MS: '0',
    RATE_LIMIT_MAX: '100000',
    DRAIN_DELAY_MS: '0',
    SHUTDOWN_TIMEOUT_MS: '1000',
  };
}

async function newUser({ oracle, inject }: OracleApp): Promise<TestUser> {
  const signer = signerFromSeed(randomBytes(32));
  const token = await mintInvocation({ signer, audience: oracle.did });
  const headers = { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' };

  async function ask<Reply>(method: 'GET' | 'POST', url: string, payload?: object): Promise<Reply> {
    const reply = await inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
    if (reply.statusCode >= 300) throw new Error(`${method} ${url} answered ${reply.statusCode}: ${reply.body}`);
    return reply.json<Reply>();
  }
  const openSession = async () => (await ask<{ sessionId: string }>('POST', '/sessions')).sessionId;
  const say = async (message: string, sessionId?: string) => {
    const url = `/messages/${sessionId ?? (await openSession())}`;
    return (await ask<{ message: { content: string } }>('POST', url, { message })).message.content;
  };

  return {
    did: signer.did,
    headers,
    openSession,
    say,
    async callTool(name, args = {}, sessionId) {
      const session = sessionId ?? (await openSession());
      await say(`use the tool ${name} with ${JSON.stringify(args)}`, session);
      const { messages } = await ask<{ messages: { toolCalls?: StoredCall[] }[] }>('GET', `/messages/${session}`);
      const call = messages.at(-1)?.toolCalls?.at(-1);
      if (call?.name !== name) throw new Error(`the model did not call ${name}: there is no such tool in this turn`);
      return { status: call.status, output: call.output === undefined ? undefined : JSON.parse(call.output) };
    },
  };
}

interface StoredCall {
  readonly name: string;
  readonly status?: string;
  readonly output?: string;
}
