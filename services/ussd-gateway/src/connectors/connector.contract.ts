import { describe, expect, it } from 'vitest';
import type { Pending } from '../effects/effect.js';
import type { Operation } from '../engine/flow.js';
import type { EffectOutcome } from '../engine/position.js';
import { printable } from './run-query.js';

/** An operation of a connector as declared in a flow, with a way to run it. */
export interface ConnectorCase {
  readonly operation: Operation;
  /** Runs it with this key while its backend works. */
  readonly run: (key: string) => Promise<EffectOutcome | Pending>;
  /** Runs it while its backend is unavailable. */
  readonly runUnavailable: (key: string) => Promise<EffectOutcome | Pending>;
  /** For an act: the number of times it has happened. */
  readonly happened?: () => number | Promise<number>;
}

/** The result for an unknown outcome; any other one is a claim. */
const unknownResult = 'unanswered';

let keys = 0;

/** Guarantees of every connector, for each of its operations. */
export function connectorContract(name: string, open: () => Promise<ConnectorCase> | ConnectorCase): void {
  describe(`the connector of ${name}`, () => {
    it('returns a declared result, with exactly the facts declared for it', async () => {
      const { operation, run } = await open();
      const { result, facts = {} } = ended(await run(`key-${++keys}`));
      expect(Object.keys(operation.results)).toContain(result);
      expect(Object.keys(facts).toSorted()).toEqual(Object.keys(operation.results[result] ?? {}).toSorted());
    });

    it('returns facts as single lines within their declared length', async () => {
      const { operation, run } = await open();
      const { result, facts = {} } = ended(await run(`key-${++keys}`));
      for (const [fact, value] of Object.entries(facts)) {
        const longest = Math.max(...(operation.results[result]?.[fact] ?? []).map((one) => [...one].length));
        expect({ fact, value: printable(value, longest) }).toEqual({ fact, value });
      }
    });

    it('returns the declared list, with exactly the declared fields as single lines within their length', async () => {
      const { operation, run } = await open();
      const { result, lists = {} } = ended(await run(`key-${++keys}`));
      const declared = operation.lists?.[result];
      expect(Object.keys(lists)).toEqual(declared === undefined ? [] : [declared.name]);
      if (declared === undefined) return;
      const items = lists[declared.name] ?? [];
      expect(items.length).toBeGreaterThan(0);
      expect(items.length).toBeLessThanOrEqual(declared.most);
      for (const item of items) {
        expect(Object.keys(item).toSorted()).toEqual(Object.keys(declared.fields).toSorted());
        for (const [field, value] of Object.entries(item))
          expect({ field, value: printable(value, declared.fields[field]?.chars ?? 0) }).toEqual({ field, value });
      }
    });

    it('returns the same for the same key, and happens once', async () => {
      const { operation, run, happened } = await open();
      const key = `key-${++keys}`;
      const before = await happened?.();
      const outcomes = [await run(key), ...(await Promise.all([run(key), run(key)]))];
      for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
      expect(happened === undefined).toBe(operation.kind !== 'act');
      if (before !== undefined) expect(await happened?.()).toBe(before + 1);
    });

    it('claims no outcome of an unavailable backend', async () => {
      const { runUnavailable } = await open();
      const response = await runUnavailable(`key-${++keys}`).catch(() => ({ result: unknownResult }));
      expect('pending' in response || response.result === unknownResult).toBe(true);
    });
  });
}

function ended(response: EffectOutcome | Pending): EffectOutcome {
  if ('pending' in response) throw new Error('it is pending');
  return response;
}
