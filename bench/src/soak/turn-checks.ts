import { someOf } from './account-checks.js';
import type { Turn } from './askers.js';
import { type CreditHold, keptHolds, unexplained } from './credit-holds.js';
import type { Finding } from './flatness.js';
import type { Scene } from './scene.js';

/** A run as the oracle has kept it, with its answer. */
export interface KeptRun {
  readonly requestId: string;
  readonly runId: string;
  readonly runStatus: string;
  readonly status: string | null;
  readonly content: string | null;
}

export interface KeptTurns {
  readonly runs: readonly KeptRun[];
  readonly questions: number;
  readonly answers: number;
}

/** Sums over all users, in tokens, and the ids of the claims. */
export interface KeptCredits {
  readonly paid: number;
  readonly balance: number;
  readonly held: number;
  readonly owed: number;
  readonly settled: number;
  readonly open: number;
  readonly holds: readonly CreditHold[];
  readonly claims: ReadonlySet<string>;
}

export async function keptTurns({ postgres }: Scene): Promise<KeptTurns> {
  const admin = postgres.admin('oracle');
  const runs = await admin<KeptRun[]>`
    select runs.request_id as "requestId", runs.run_id as "runId", runs.status as "runStatus", messages.status, messages.content
    from runs left join messages on messages.session_id = runs.session_id and messages.message_id = runs.request_id`;
  const [messages] = await admin<{ questions: number; answers: number }[]>`
    select count(*) filter (where type = 'human')::int as questions, count(*) filter (where type = 'ai')::int as answers from messages`;
  return { runs, questions: messages?.questions ?? 0, answers: messages?.answers ?? 0 };
}

export async function keptCredits(scene: Scene): Promise<KeptCredits> {
  const admin = scene.postgres.admin('oracle');
  const [sums] = await admin<Omit<KeptCredits, 'claims' | 'holds'>[]>`
    select (select coalesce(sum(tokens), 0)::float8 from credit_top_ups) as paid,
      (select coalesce(sum(balance), 0)::float8 from credit_accounts) as balance,
      (select coalesce(sum(held), 0)::float8 from credit_accounts) as held,
      (select coalesce(sum(owed), 0)::float8 from credit_accounts) as owed,
      (select coalesce(sum(tokens), 0)::float8 from credit_claims where settled_at is not null) as settled,
      (select coalesce(sum(tokens), 0)::float8 from credit_claims where settled_at is null) as open`;
  if (sums === undefined) throw new Error('no credits');
  const claims = await admin<{ id: string }[]>`select claim_id as id from credit_claims`;
  return { ...sums, holds: await keptHolds(scene), claims: new Set(claims.map(({ id }) => id)) };
}

/** What the oracle has kept of each turn is what was streamed, under the end that its reader was told. */
export function turnFindings(turns: readonly Turn[], { runs, questions, answers }: KeptTurns): Finding[] {
  const byRequest = new Map(runs.map((run) => [run.requestId, run]));
  const asked = new Set(turns.map(({ requestId }) => requestId));
  // One that failed because its answer could not be kept has told so.
  const isUnkept = ({ requestId, status }: Turn) => status === 'failed' && byRequest.get(requestId)?.content === null;
  const unkept = turns.filter(isUnkept);
  const otherText = turns.filter((turn) => byRequest.get(turn.requestId)?.content !== turn.text && !isUnkept(turn));
  const otherEnd = turns.filter((turn) => {
    const run = byRequest.get(turn.requestId);
    return (
      run?.runId !== turn.runId || run.runStatus !== turn.status || (run.status !== turn.status && !isUnkept(turn))
    );
  });
  const unasked = runs.filter(({ requestId }) => !asked.has(requestId));
  const isEachOnce = questions === turns.length && answers === turns.length - unkept.length && unasked.length === 0;
  const all = `${runs.length} runs, ${questions} questions and ${answers} answers of ${turns.length} turns, ${otherEnd.length} other ends, ${unasked.length} of nobody`;
  const named = (some: readonly Turn[]) =>
    someOf(
      some.map(({ runId, requestId, status, text }) => {
        const { runStatus, status: answerStatus, content } = byRequest.get(requestId) ?? {};
        return `${runId} told ${status} (${text.length}), kept ${runStatus}/${answerStatus} (${content?.length})`;
      }),
    );
  return [
    {
      invariant: 'kept answers are what was streamed',
      holds: otherText.length === 0,
      figures: `${turns.length} read, ${otherText.length} differ, ${unkept.length} told that they were not kept${named(otherText)}`,
    },
    {
      invariant: 'each turn has one end, and it is the one told',
      holds: otherEnd.length === 0 && isEachOnce,
      figures: all + named(otherEnd),
    },
  ];
}

/** Balances, claims and holds of credits belong together, and each finished turn has its claim. */
export function creditFinding(turns: readonly Turn[], kept: KeptCredits, oracleKills: readonly Date[]): Finding {
  const { paid, balance, held, owed, settled, open, holds, claims } = kept;
  const free = turns.filter(({ runId, status }) => status === 'finished' && !claims.has(runId));
  const wrongHolds = unexplained(holds, oracleKills);
  const heldByRows = holds.reduce((sum, { tokens }) => sum + tokens, 0);
  const addsUp = paid === balance + settled && owed === open && held === heldByRows;
  return {
    invariant: 'credits add up, and each turn is charged once',
    holds: addsUp && wrongHolds.length === 0 && free.length === 0,
    figures: `${paid} paid = ${balance} left + ${settled} settled; ${owed} owed of ${open} claimed; ${held} held, ${holds.length} for messages of killed processes and ${wrongHolds.length} of them for others${someOf(wrongHolds.map(({ expiresAt }) => new Date(expiresAt.getTime() - 3_600_000).toISOString()))}; ${free.length} turns for nothing`,
  };
}
