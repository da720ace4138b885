import type { RunStart } from '../../runs/run-store.js';
import type { CallOutcome, CallRecords, KeptCall, NewCall } from './call-records.js';

/** Calls of tools in the memory of a test. */
export class MemoryCallRecords implements CallRecords {
  readonly #runs = new Map<string, Map<string, KeptCall>>();

  async begin({ runId }: RunStart, calls: readonly NewCall[]): Promise<void> {
    const kept = this.#runs.get(runId) ?? new Map<string, KeptCall>();
    for (const call of calls) if (!kept.has(call.id)) kept.set(call.id, call);
    this.#runs.set(runId, kept);
  }

  async end({ runId }: RunStart, callId: string, outcome: CallOutcome): Promise<void> {
    const call = this.#runs.get(runId)?.get(callId);
    if (call !== undefined && call.outcome === undefined) this.#runs.get(runId)?.set(callId, { ...call, outcome });
  }

  async ofRun({ runId }: RunStart): Promise<KeptCall[]> {
    return [...(this.#runs.get(runId)?.values() ?? [])];
  }
}
