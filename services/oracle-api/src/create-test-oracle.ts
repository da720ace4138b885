import { randomBytes } from 'node:crypto';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { assembleOracle, type OracleApp, type OracleAppOptions } from './oracle.js';

export interface ToolOutcome {
  readonly status: string | undefined;
  /** The output that the model received: the result, or `{ error }`. */
  readonly output: unknown;
}

/** A user of the test oracle, with a separate key. */
export interface TestUser {
  readonly did: string;
  /** Authentication headers for `inject`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Opens a session and returns its id. */
  openSession(): Promise<string>;
  /** Sends a message, by default in a new session, and returns the answer. */
  say(message: string, sessionId?: string): Promise<string>;
  /** Makes the built-in model call the named tool and returns the outcome of the call. */
  callTool(name: string, args?: Readonly<Record<string, unknown>>, sessionId?: string): Promise<ToolOutcome>;
}

export interface TestOracle extends OracleApp {
  /** Creates a user with a new key. */
  newUser(): Promise<TestUser>;
}

/**
 * Creates an oracle for plugin tests: in-memory database, own key, and the built-in model, which calls the tools that a
 * message names. `env` adds or replaces environment variables. Close the oracle at the end of the test.
 */
export async function createTestOracle(options: Partial<OracleAppOptions> = {}): Promise<TestOracle> {
  const { oracle, app } = await assembleOracle({
    config: { name: 'Test oracle' },
    ...options,
    env: { ...testEnvironment(), ...options.env },
  });
  // Tests share the event loop with the oracle, so a busy loop is not overload.
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

  async function request<Reply>(method: 'GET' | 'POST', url: string, payload?: object): Promise<Reply> {
    const reply = await inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
    if (reply.statusCode >= 300) throw new Error(`${method} ${url} answered ${reply.statusCode}: ${reply.body}`);
    return reply.json<Reply>();
  }
  const openSession = async () => (await request<{ sessionId: string }>('POST', '/sessions')).sessionId;
  const sendMessage = async (message: string, sessionId?: string) => {
    const url = `/messages/${sessionId ?? (await openSession())}`;
    return (await request<{ message: { content: string } }>('POST', url, { message })).message.content;
  };

  return {
    did: signer.did,
    headers,
    openSession,
    say: sendMessage,
    async callTool(name, args = {}, sessionId) {
      const session = sessionId ?? (await openSession());
      await sendMessage(`use the tool ${name} with ${JSON.stringify(args)}`, session);
      const { messages } = await request<{ messages: { toolCalls?: StoredCall[] }[] }>('GET', `/messages/${session}`);
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
