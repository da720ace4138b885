import { eq } from 'drizzle-orm';
import { creditAccounts, creditClaims, creditHolds } from '../../src/plugins/credits/schema.js';
import { messages, runs } from '../../src/store/oracle-schema.js';
import type { StoredToolCall } from '../../src/store/sessions.js';
import type { Effect } from './effects.js';
import type { User } from './user.js';
import type { World } from './world.js';

const ends = new Set(['finished', 'aborted', 'interrupted', 'failed']);

/** Invariants of the final state; returns the violated ones as text. */
export async function brokenTruths(world: World, user: User): Promise<string[]> {
  const { owner: did, db } = world;
  const stored = {
    runs: await db.select().from(runs).where(eq(runs.ownerDid, did)),
    messages: await db.select().from(messages).where(eq(messages.ownerDid, did)),
    claims: await db.select().from(creditClaims).where(eq(creditClaims.ownerDid, did)),
    holds: await db.select().from(creditHolds).where(eq(creditHolds.ownerDid, did)),
    accounts: await db.select().from(creditAccounts).where(eq(creditAccounts.ownerDid, did)),
  };
  return [
    ...everyMessageIsAnsweredOrMarked(stored, user),
    ...everyCallIsStoredAsMade(stored, world.effects),
    ...nothingHappensUnasked(world.effects, user),
    ...theAccountAddsUp(stored, world),
    ...everyChargeIsThereOnce(stored, world),
    ...world.failures.map((failure) => `a plugin failed: ${failure}`),
  ];
}

interface Stored {
  readonly runs: readonly (typeof runs.$inferSelect)[];
  readonly messages: readonly (typeof messages.$inferSelect)[];
  readonly claims: readonly (typeof creditClaims.$inferSelect)[];
  readonly holds: readonly (typeof creditHolds.$inferSelect)[];
  readonly accounts: readonly (typeof creditAccounts.$inferSelect)[];
}

function* everyMessageIsAnsweredOrMarked(stored: Stored, { taken }: User): Iterable<string> {
  const questions = stored.messages.filter(({ type }) => type === 'human');
  for (const [requestId, runId] of taken) {
    if (!questions.some(({ turnId }) => turnId === runId)) yield `${requestId} was accepted, and is not stored`;
  }
  for (const { turnId, content } of questions) {
    const run = stored.runs.find(({ runId }) => runId === turnId);
    const answer = stored.messages.find((message) => message.turnId === turnId && message.type === 'ai');
    if (run === undefined) yield `${content} has no run`;
    else if (!ends.has(run.status)) yield `${content} is ${run.status} for ever`;
    else if (run.status === 'finished' && answer === undefined) yield `${content} is finished without an answer`;
    const open = answer?.toolCalls?.find(({ status }) => status === 'waiting');
    if (open !== undefined) yield `${content} has ended with ${open.id} waiting`;
  }
  for (const { runId } of stored.runs) {
    if (!questions.some(({ turnId }) => turnId === runId)) yield `run ${runId} answers nothing`;
  }
}

function* everyCallIsStoredAsMade({ messages: all }: Stored, effects: readonly Effect[]): Iterable<string> {
  for (const { key, id } of effects) {
    const times = effects.filter((effect) => effect.key === key).length;
    if (times > 1) yield `${key} took effect ${times} times`;
    const repeats = effects.filter((effect) => effect.id === id && effect.key !== key);
    if (repeats.length > 0) yield `what ${id} planned took effect as ${repeats.map((one) => one.key).join()} too`;
    const stored = storedCall(all, key);
    if (stored === undefined) yield `${key} took effect, and the conversation does not know it`;
    else if (stored.status !== 'done' && stored.status !== 'unknown')
      yield `${key} took effect, and is stored as ${stored.output}`;
  }
  for (const { turnId, toolCalls } of all) {
    for (const { id, name, status } of toolCalls ?? []) {
      const isDone = status === 'done' && name !== 'look';
      if (isDone && !effects.some(({ key }) => key === `${turnId}/${id}`)) yield `${turnId}/${id} is stored as done`;
    }
  }
}

function storedCall(all: Stored['messages'], key: string): StoredToolCall | undefined {
  return all.flatMap(({ turnId, toolCalls }) => (toolCalls ?? []).filter(({ id }) => `${turnId}/${id}` === key)).at(0);
}

function* nothingHappensUnasked(effects: readonly Effect[], { settlements }: User): Iterable<string> {
  for (const { key, tool, atMs } of effects) {
    if (tool !== 'pay') continue;
    const before = settlements.filter((settled) => settled.atMs <= atMs);
    const own = before.filter(({ callId }) => key.endsWith(`/${callId}`));
    const isAllowed =
      own.some(({ decision }) => decision !== 'deny') || before.some(({ decision }) => decision === 'always');
    if (own.findLast(({ isConfirmed }) => isConfirmed)?.decision === 'deny')
      yield `${key} took effect though it was denied`;
    if (!isAllowed) yield `${key} took effect, without permission`;
  }
}

/** Claims of 0 tokens are payment requests without usage. */
const usedOf = ({ claims }: Stored) => claims.filter(({ tokens }) => tokens > 0);

const sumOf = (parts: readonly { readonly tokens: number }[]) => parts.reduce((sum, { tokens }) => sum + tokens, 0);

function* theAccountAddsUp(stored: Stored, world: World): Iterable<string> {
  const [account] = stored.accounts;
  if (account === undefined) return;
  const used = usedOf(stored);
  if (account.owed !== sumOf(used)) yield `owes ${account.owed}, and has used ${sumOf(used)}`;
  const charged = stored.runs.filter(({ runId }) => used.some(({ claimId }) => claimId.split('~')[0] === runId));
  if (world.balance === 1 && charged.length > 1) yield `${charged.length} turns ran on a balance for one`;
  if (account.balance !== world.balance) yield `has ${account.balance}, and was given ${world.balance}`;
  // The hold of a send expires if its process was killed before its run was stored.
  if (account.held !== sumOf(stored.holds)) yield `has ${account.held} held, and holds of ${sumOf(stored.holds)}`;
  for (const { runId } of stored.holds) {
    if (stored.runs.some((run) => run.runId === runId)) yield `holds something for ${runId}, which has ended`;
  }
}

function* everyChargeIsThereOnce(stored: Stored, world: World): Iterable<string> {
  const used = usedOf(stored);
  for (const { runId, requestId } of stored.runs) {
    const sum = sumOf(used.filter(({ claimId }) => claimId.split('~')[0] === runId));
    const answer = stored.messages.find(({ turnId, type }) => turnId === runId && type === 'ai');
    const hasAnswer = (answer?.content ?? '') !== '' || (answer?.toolCalls ?? []).length > 0;
    if (hasAnswer && sum === 0) yield `${requestId} has an answer, and is charged nothing`;
    const counted = world.counted.get(requestId) ?? 0;
    const isExact = !world.uncounted.has(requestId) && !world.wasKilled(requestId);
    if (isExact && sum !== counted) yield `${requestId} took ${counted}, and is charged ${sum}`;
  }
}
