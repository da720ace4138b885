import { describe, expect, it } from 'vitest';
import { accountFinding, paymentFinding } from './account-checks.js';
import { flatnessOf } from './flatness.js';
import type { Checkpoint } from './gauges.js';
import { OracleUser } from './oracle-user.js';
import { verdictsOf } from './soak-report.js';
import { numberIn, questionFor, taleOf } from './tale.js';
import { Tally } from './tally.js';
import { creditFinding, type KeptCredits, type KeptTurns, turnFindings } from './turn-checks.js';

const amina = { id: 'C1', phone: '+1', name: 'Amina' };
const juma = { id: 'C2', phone: '+2', name: 'Juma' };

describe('accounts', () => {
  it('are right when each was told, and no other is kept', () => {
    expect(accountFinding([amina, juma], [juma, amina]).holds).toBe(true);
  });

  it.each([
    ['lost', [amina, juma], [amina]],
    ['double', [amina], [amina, { ...amina, id: 'C9' }]],
    ['crossed', [amina], [{ ...amina, name: 'Juma' }]],
  ])('are wrong when one is %s', (_, told, kept) => {
    expect(accountFinding(told, kept).holds).toBe(false);
  });
});

describe('payments', () => {
  const paid = { phone: '+1', status: 'paid', receipt: 'MM1' };
  const told = { phone: '+1', receipt: 'MM1' };

  it('are right when each payer has the one they were told of', () => {
    const refused = { phone: '+2', status: 'refused', receipt: '' };
    expect(paymentFinding([told, { phone: '+2', receipt: undefined }], [paid, refused]).holds).toBe(true);
  });

  it.each([
    ['made twice', [told], [paid, { ...paid, receipt: 'MM2' }]],
    ['told and not made', [told], []],
    ['made and not told', [], [paid]],
    ['told as refused', [{ phone: '+1', receipt: undefined }], [paid]],
  ])('are wrong when one is %s', (_, tellings, payments) => {
    expect(paymentFinding(tellings, payments).holds).toBe(false);
  });
});

describe('turns', () => {
  const turn = { user: new OracleUser(1), sessionId: 's', requestId: 'q', runId: 'r', status: 'finished', text: 'one' };
  const run = { requestId: 'q', runId: 'r', runStatus: 'finished', status: 'finished', content: 'one' };
  const kept: KeptTurns = { runs: [run], questions: 1, answers: 1 };
  const credits: KeptCredits = {
    paid: 9,
    balance: 7,
    settled: 2,
    owed: 3,
    open: 3,
    held: 0,
    holds: [],
    claims: new Set(['r']),
  };
  const holdAll = (found: KeptTurns) => turnFindings([turn], found).every(({ holds }) => holds);

  it('are right when what is kept is what was read', () => {
    expect(holdAll(kept)).toBe(true);
    expect(creditFinding([turn], credits, []).holds).toBe(true);
  });

  it('are wrong with another text, another end, a second answer, or one that nobody asked for', () => {
    expect(holdAll({ ...kept, runs: [{ ...run, content: 'on' }] })).toBe(false);
    expect(holdAll({ ...kept, runs: [{ ...run, runStatus: 'failed' }] })).toBe(false);
    expect(holdAll({ ...kept, answers: 2 })).toBe(false);
    expect(holdAll({ ...kept, runs: [run, { ...run, requestId: 'p' }] })).toBe(false);
  });

  it('that failed may have no answer, for they have said that it could not be kept', () => {
    const failed = { ...turn, status: 'failed' };
    const unkept = { runs: [{ ...run, runStatus: 'failed', status: null, content: null }], questions: 1, answers: 0 };
    expect(turnFindings([failed], unkept).every(({ holds }) => holds)).toBe(true);
    expect(holdAll(unkept)).toBe(false);
  });

  it('are charged wrong when something is held, gone, or for nothing', () => {
    const isRight = (wrong: Partial<typeof credits>) => creditFinding([turn], { ...credits, ...wrong }, []).holds;
    expect(isRight({ held: 1 })).toBe(false);
    expect(isRight({ balance: 6 })).toBe(false);
    expect(isRight({ claims: new Set() })).toBe(false);
  });

  it('may be held for an hour where their process was killed as they began, and at no other time', () => {
    const killed = new Date(100_000_000);
    const madeBefore = (ms: number) => ({ tokens: 5, expiresAt: new Date(killed.getTime() - ms + 3_600_000) });
    const isRight = (ms: number) =>
      creditFinding([turn], { ...credits, held: 5, holds: [madeBefore(ms)] }, [killed]).holds;
    expect([isRight(50), isRight(60_000), isRight(-50)]).toEqual([true, false, false]);
  });

  it('tell tales in which each word has its place', () => {
    expect(numberIn(questionFor(7))).toBe(7);
    expect(numberIn('A title, please')).toBeUndefined();
    expect(taleOf(7)).toEqual(taleOf(7));
    expect(new Set(taleOf(7)).size).toBe(taleOf(7).length);
  });
});

describe('what processes hold', () => {
  const replica = { name: 'ussd-2', pid: 1, heapMb: 40, residentMb: 120, files: 30, handles: 10 };
  const stores = { redisMb: 1, redisKeys: 9, redisKeysForEver: 0, postgresConnections: 12, idleInTransaction: 0 };
  const middle: Checkpoint = { at: 0.5, replicas: [replica], ...stores };
  const brokenBy = (end: Partial<Checkpoint>) =>
    flatnessOf(middle, { ...middle, at: 1, ...end })
      .filter(({ holds }) => !holds)
      .map(({ invariant }) => invariant);

  it('is level when nothing grows, and is not when one figure does', () => {
    expect(brokenBy({})).toEqual([]);
    expect(brokenBy({ replicas: [{ ...replica, heapMb: 90 }] })).toEqual(['heaps are level']);
    expect(brokenBy({ replicas: [{ ...replica, files: 300 }] })).toEqual(['open files are level']);
    expect(brokenBy({ redisKeysForEver: 1000 })).toEqual(['keys without an end are level']);
  });

  it('is not known to be level when a figure is missing', () => {
    expect(brokenBy({ replicas: [{ ...replica, handles: Number.NaN }] })).toEqual(['timers and sockets are level']);
  });
});

describe('a verdict', () => {
  it('is that all holds unless somebody saw it broken', () => {
    const tally = new Tally(() => undefined);
    expect(verdictsOf({ tally, findings: [] }).every(({ holds }) => holds)).toBe(true);
    tally.violate('callers are told in the end', 'one was not');
    const broken = verdictsOf({ tally, findings: [] }).filter(({ holds }) => !holds);
    expect(broken).toMatchObject([
      { invariant: 'callers are told in the end', figures: '1 times, first: one was not' },
    ]);
  });
});
