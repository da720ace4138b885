import type { Approvals, Settled } from '../src/agent/loop/sql-approvals.js';

/** Approvals with one pending call and one rule. */
export function oneWaitingCall(): Partial<Approvals> {
  const at = new Date(0);
  const place = { runId: 'run', sessionId: 's', requestId: 'r', toolCallId: 'call', toolName: 'pay', plugin: 'bank' };
  const rule = { id: 'rule', says: 'ask' as const, plugin: 'bank', tool: 'pay', fingerprint: '', createdAt: at };
  const answers: Settled[] = [{ kind: 'settled' }, { kind: 'decided', as: 'allowed' }];
  return {
    listWaiting: async () => [
      { ...place, args: { amount: 5 }, title: 'Pay', reason: 'It asks.', createdAt: at, expiresAt: at },
    ],
    settle: async (_owner, runId) => (runId === 'run' ? answers.shift() : undefined) ?? { kind: 'unknown' },
    listRules: async () => [rule],
    requireApproval: async (_owner, { tool }) => (tool === 'pay' ? rule : undefined),
    dropRule: async (_owner, id) => id === 'rule',
  };
}
