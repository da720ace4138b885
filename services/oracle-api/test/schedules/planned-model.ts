import { setTimeout as sleep } from 'node:timers/promises';
import type { LanguageModel, ModelRequest } from '../../src/models/language-model.js';
import { ModelError } from '../../src/models/model-error.js';
import type { Plan } from './plan.js';

export interface PlannedModelParts {
  readonly planOf: (requestId: string) => Plan;
  /** Called with reported tokens. */
  readonly onUsage: (requestId: string, tokens: number) => void;
  /** Called if text was sent without reported tokens. */
  readonly onUncounted: (requestId: string) => void;
  readonly alive: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

/** A model that follows the plan that a message names, step by step. */
export function plannedModel({ planOf, onUsage, onUncounted, alive }: PlannedModelParts): LanguageModel {
  return {
    id: 'planned',
    label: 'Planned',
    async *stream({ messages }, signal) {
      const { requestId, made } = sinceQuestion(messages);
      const step = planOf(requestId).steps[made];
      if (step === undefined) throw new Error('there is no such step');
      const half = () => alive(() => sleep(step.delayMs / 2, undefined, { signal }));
      let isCounted = false;
      try {
        await half();
        if (step.text !== '') yield { type: 'text', delta: step.text };
        await half();
        for (const { name, args } of step.calls) yield { type: 'tool_call', call: { name, args } };
        if (step.tokens === undefined) throw new ModelError('network', 'It broke off.', { retryable: true });
        isCounted = true;
        onUsage(requestId, step.tokens);
        yield { type: 'usage', usage: { inputTokens: step.tokens - 10, outputTokens: 10 } };
      } finally {
        if (!isCounted) onUncounted(requestId);
      }
    },
  };
}

/** The message to answer, and the number of its tool rounds. */
function sinceQuestion(messages: ModelRequest['messages']) {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const made = messages.slice(at + 1).filter(({ toolCalls = [] }) => toolCalls.length > 0).length;
  return { requestId: messages[at]?.content ?? '', made };
}
