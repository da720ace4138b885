import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@mlango/test-services/random';
import { z } from 'zod';
import { AskUser, definePlugin, defineTool, type OraclePlugin, ToolError } from '../../src/plugins/api/plugin-kit.js';

/** An effect of a tool outside the process. */
export interface Effect {
  readonly key: string;
  readonly tool: 'pay' | 'note';
  /** Id of the planned call. */
  readonly id: string;
  readonly atMs: number;
}

/** A process as its tools see it. */
export interface Body {
  readonly alive: <Value>(work: () => Promise<Value>) => Promise<Value>;
  die(): void;
}

const effectRequest = z.object({ id: z.string() });

/** Tools with effects that outlive their process. The result of a call is random, by its key. */
export function actingTools(effects: Effect[], luckOf: (key: string) => Random, body: Body): OraclePlugin {
  const repeated = new Set<string>();
  async function act(tool: Effect['tool'], id: string, key: string): Promise<unknown> {
    const luck = luckOf(key);
    const fate = luck.next();
    await body.alive(() => sleep(luck.pick([0, 10, 300, 2_000])));
    if (fate < 0.05) throw new ToolError('It was refused.');
    if (tool === 'pay' && fate < 0.15 && !repeated.has(key)) {
      repeated.add(key);
      throw new AskUser({ reason: 'It costs more by now.' });
    }
    if (fate > 0.96) body.die();
    await body.alive(async () => effects.push({ key, tool, id, atMs: Date.now() }));
    if (fate > 0.9) body.die();
    await body.alive(() => sleep(luck.pick([0, 10, 300])));
    return { did: id };
  }
  const tool = (name: Effect['tool'], effect: 'inside' | 'outside') =>
    defineTool({
      name,
      description: `Has to ${name}.`,
      effects: effect,
      needsApproval: effect === 'outside',
      inputSchema: effectRequest,
      execute: ({ id }, { idempotencyKey }) => act(name, id, idempotencyKey),
    });
  return definePlugin({
    name: 'acting',
    version: '1.0.0',
    manifest: { title: 'Acting', summary: 'Acts.', whenToUse: 'something is to be done.', visibility: 'always' },
    getTools: () => [
      tool('pay', 'outside'),
      tool('note', 'inside'),
      defineTool({
        name: 'look',
        description: 'Looks.',
        effects: 'none',
        inputSchema: effectRequest,
        execute: ({ id }) => ({ id }),
      }),
    ],
  });
}
