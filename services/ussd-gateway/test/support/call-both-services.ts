import { expect, vi } from 'vitest';
import { type BothServices, sendQuestion, signUpAt } from './both-services.js';

const callers = Array.from({ length: 8 });
const SOON = { timeout: 30_000, interval: 100 };

/** Callers of both services take turns, until `enough`. A refused caller retries. */
export function callBothServices(services: BothServices, enough: (turns: number) => boolean) {
  const refusals = { count: 0, regenerated: 0 };
  const ids: string[] = [];
  const answers: string[] = [];
  const phone = async () => {
    for (let turn = 0; !enough(turn); turn++) ids.push(await signUpAt(services.ussd, refusals));
  };
  const chat = async () => {
    for (let turn = 0; !enough(turn); turn++) answers.push(await sendQuestion(services, 'count to 3', refusals));
  };
  const done = Promise.all(callers.flatMap(() => [phone(), chat()]));
  done.catch(() => {});
  const served = () => ids.length + answers.length;
  return {
    refusals,
    ids,
    answers,
    done,
    /** Resolves when both services have served every caller at least once more. */
    goOn: async () => {
      const before = served();
      await vi.waitFor(() => expect(served()).toBeGreaterThan(before + callers.length), SOON);
    },
  };
}
