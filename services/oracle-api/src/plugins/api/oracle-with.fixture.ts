import { signerFromSeed } from '@mlango/ucan-auth/minting';
import { z } from 'zod';
import { headersOf, newSession, type TestOptions, testApp } from '../../../test/app.fixture.js';
import type { LanguageModel, ModelRequest } from '../../models/language-model.js';
import { localModel } from '../../models/local/local-model.js';
import type { SharedPool } from '../../shared-pools.js';
import type { OraclePlugin } from './plugin.js';
import { defineTool } from './plugin-tool.js';

/** A tool without parameters. */
export const testTool = (name: string, execute = (): unknown => `${name} ran`) =>
  defineTool({ name, description: `Does ${name}.`, inputSchema: z.object({}), execute });

/** Creates an oracle with plugins. Its model calls the tools that a message names. */
export async function oracleWith(plugins: OraclePlugin[], options: TestOptions = {}) {
  const requests: ModelRequest[] = [];
  const local = localModel({ paceMs: 0 });
  const model: LanguageModel = {
    ...local,
    stream: (request, signal) => {
      requests.push(request);
      return local.stream(request, signal);
    },
  };
  const { app, deps } = await testApp({ model, plugins, ...options });
  const headers = await headersOf('a');
  const { did } = signerFromSeed(Buffer.alloc(32, 'a'));
  const session = await newSession(app, headers);
  const send = (payload: object) => app.inject({ method: 'POST', url: `/messages/${session}`, headers, payload });
  const say = async (message: string, payload: object = {}) =>
    (await send({ message, ...payload })).json<{ message: { content: string } }>().message.content;
  /** Returns the stream of the answer as text. */
  const follow = async (message: string, payload: object = {}) =>
    (await send({ message, stream: true, ...payload })).body;
  const toolsSeen = () => requests.at(-1)?.tools?.map(({ name }) => name) ?? [];
  const statusOf = (name: string) => deps.plugins.status().find((status) => status.name === name);
  /** Returns the store of a plugin's tables. */
  const ownOf = <Own>(name: string) => deps.plugins.active(name)[0]?.boot.own as Own;
  /** Returns a pool of the oracle or of a plugin. */
  const poolOf = (name: string) => {
    const pool = deps.poolList.find((one) => one.name === name);
    if (pool === undefined) throw new Error(`no pool ${name}`);
    return pool as SharedPool;
  };
  return { app, say, follow, session, did, ownOf, poolOf, requests, toolsSeen, statusOf };
}
