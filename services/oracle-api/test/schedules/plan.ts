import type { Random } from '@mlango/test-services/random';

/** Tool calls of a model in one step. `id` names the call in its payment or note. */
export interface PlannedCall {
  readonly name: 'pay' | 'note' | 'look';
  readonly args: { readonly id: string };
}

export interface PlannedStep {
  readonly text: string;
  readonly calls: readonly PlannedCall[];
  /** Duration of the step, in ms. */
  readonly delayMs: number;
  /** Reported tokens; undefined if the model breaks off. */
  readonly tokens: number | undefined;
}

/** Planned behaviour of the model for one message. */
export interface Plan {
  readonly requestId: string;
  readonly steps: readonly PlannedStep[];
}

const delays = [0, 0, 20, 400, 2_500];

export function planOf(requestId: string, random: Random): Plan {
  const steps = Array.from({ length: random.between(0, 2) }, (_, step): PlannedStep => {
    const calls = Array.from({ length: random.between(1, 2) }, (_none, place): PlannedCall => {
      return { name: random.pick(['pay', 'pay', 'note', 'look']), args: { id: `${requestId}/${step}/${place}` } };
    });
    return {
      text: random.chance(0.3) ? 'Let me see.' : '',
      calls,
      delayMs: random.pick(delays),
      tokens: tokens(random),
    };
  });
  const last = { text: 'That is all.', calls: [], delayMs: random.pick(delays), tokens: tokens(random) };
  return { requestId, steps: [...steps, last] };
}

function tokens(random: Random): number | undefined {
  return random.chance(0.05) ? undefined : random.between(20, 400);
}
