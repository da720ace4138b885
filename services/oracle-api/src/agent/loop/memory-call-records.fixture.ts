import type { RunStart } from '../../runs/log/store.js';
import type { ApprovalAsk, CallOutcome, CallRecord, CallRecords, NewCall } from './call-records.js';

/** Calls of tools in the memory of a test. */
export class MemoryCallRecords implements CallRecords {
  readonly #runs = new Map<string, Map<string, CallRecord>>();

  async begin({ runId }: RunStart, calls: readonly NewCall[]): Promise<void> {
    const kept = this.#runs.get(runId) ?? new Map<string, CallRecord>();
    for (const { waits, ...call } of calls) {
      if (kept.has(call.id)) continue;
      const approval = waits && { ...waits.ask, state: 'waiting' as const };
      kept.set(call.id, { ...call, ...(approval && { approval }) });
    }
    this.#runs.set(runId, kept);
  }

  async end({ runId }: RunStart, callId: string, outcome: CallOutcome): Promise<void> {
    const call = this.#runs.get(runId)?.get(callId);
    if (call !== undefined && call.outcome === undefined) this.#runs.get(runId)?.set(callId, { ...call, outcome });
  }

  async beginApproved({ runId }: RunStart, callId: string): Promise<boolean> {
    const call = this.#runs.get(runId)?.get(callId);
    if (call?.approval?.state !== 'allowed' || call.outcome !== undefined) return false;
    this.#runs.get(runId)?.set(callId, { ...call, approval: { ...call.approval, state: 'begun' } });
    return true;
  }

  async requestApprovalAgain({ runId }: RunStart, callId: string, ask: ApprovalAsk): Promise<void> {
    const call = this.#runs.get(runId)?.get(callId);
    if (call !== undefined) this.#runs.get(runId)?.set(callId, { ...call, approval: { ...ask, state: 'waiting' } });
  }

  async ofRun({ runId }: RunStart): Promise<CallRecord[]> {
    return [...(this.#runs.get(runId)?.values() ?? [])];
  }
}
