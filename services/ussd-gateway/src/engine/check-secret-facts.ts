import type { Flow } from './flow.js';
import { messageOf } from './messages-of.js';
import { placeholdersIn } from './placeholders.js';
import type { Problem } from './problem.js';
import { effectsOf } from './ways-on.js';

/**
 * Webhooks that are sent a secret fact, and messages that name one. A fact is secret by its name, in the whole flow, if an operation that
 * the flow uses declares it so.
 */
export function checkSecretFacts(flow: Flow): Problem[] {
  const used = Object.values(flow.screens).flatMap((screen) => effectsOf(screen).map(({ effect }) => effect));
  const secret = new Set(used.flatMap((name) => flow.operations?.[name]?.secretFacts ?? []));
  return Object.entries(flow.operations ?? {}).flatMap(([name, operation]) => {
    const key = messageOf(operation)?.text;
    const written = Object.values(flow.texts).flatMap((texts) =>
      key === undefined ? [] : placeholdersIn(texts[key] ?? ''),
    );
    return [
      ...problemsIn(['operations', name, 'sends'], operation.call?.sends ?? [], secret),
      ...problemsIn(['operations', name, 'text'], written, secret),
    ];
  });
}

function problemsIn(at: readonly string[], facts: readonly string[], secret: ReadonlySet<string>): Problem[] {
  const named = [...new Set(facts)].filter((fact) => secret.has(fact));
  return named.map((fact) => ({
    at,
    says: `"${fact}" is secret: screens may print it, and it leaves this service nowhere else`,
  }));
}
