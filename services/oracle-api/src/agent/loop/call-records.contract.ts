import { beforeEach, describe, expect, it } from 'vitest';
import type { RunStart } from '../../runs/log/store.js';
import type { NewCall } from './call-records.js';
import type { CallRecords } from './sql-call-records.js';

let runs = 0;

/** Contract tests for every `CallRecords`. `addRun` creates the run of the calls; `dropRun` deletes it. */
export function callRecordsContract(
  name: string,
  open: () => {
    readonly records: CallRecords;
    readonly addRun: (run: RunStart) => Promise<void>;
    readonly dropRun: (run: RunStart) => Promise<void>;
  },
): void {
  describe(`calls of tools on ${name}`, () => {
    let records: CallRecords;
    let run: RunStart;
    beforeEach(async () => {
      run = { runId: `calls-${++runs}`, ownerDid: 'did:key:asha', sessionId: `calls-${runs}`, requestId: 'r' };
      const { addRun } = open();
      ({ records } = open());
      await addRun(run);
    });
    const pay: NewCall = { id: 'b', plugin: 'bank', name: 'pay', args: { to: 'Bo', amount: 5 } };
    const plot: NewCall = { id: 'a', plugin: 'ag-ui', name: 'plot', kind: 'action', args: { x: ['\u0000', 1] } };

    it('are recorded before they are made, in order, without an outcome', async () => {
      await records.begin(run, [pay, plot]);
      await records.begin(run, [{ ...pay, id: 'c' }]);
      expect(await records.ofRun(run)).toMatchObject([pay, { ...plot, args: {} }, { ...pay, id: 'c' }]);
      expect((await records.ofRun(run)).map(({ outcome }) => outcome)).toEqual([undefined, undefined, undefined]);
    });

    it('keep the first outcome', async () => {
      await records.begin(run, [pay, plot]);
      await records.end(run, 'b', { status: 'done', output: '{"paid":5}' });
      await records.end(run, 'b', { status: 'error', output: '{}' });
      await records.end(run, 'unknown', { status: 'done', output: '1' });
      expect((await records.ofRun(run)).map(({ outcome }) => outcome)).toEqual([
        { status: 'done', output: '{"paid":5}' },
        undefined,
      ]);
    });

    it('are one record when they begin twice', async () => {
      await records.begin(run, [pay]);
      await records.end(run, 'b', { status: 'done', output: '1' });
      await records.begin(run, [{ ...pay, args: { amount: 9 } }, plot]);
      expect(await records.ofRun(run)).toMatchObject([{ ...pay, outcome: { output: '1' } }, { id: 'a' }]);
    });

    it('are deleted with their run, and belong to no other', async () => {
      await records.begin(run, [pay]);
      expect(await records.ofRun({ ...run, runId: 'another' })).toEqual([]);
      await open().dropRun(run);
      expect(await records.ofRun(run)).toEqual([]);
    });
  });
}
