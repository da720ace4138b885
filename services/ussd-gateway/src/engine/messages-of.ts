import { z } from 'zod';
import type { EffectUse, Facts, Flow, Operation, Screen, TextKey } from './flow.js';
import { placeholdersIn } from './placeholders.js';
import { named } from './position.js';
import { effectsOf } from './ways-on.js';

/** A message in the language of its subscriber. Its facts are those that are known where nothing else tells them; all are filled in once it is sent. */
export const messageText = z.object({ operation: z.string(), text: z.string(), facts: named }).readonly();
type MessageText = z.infer<typeof messageText>;

/** The operation whose message each result of a use brings about. */
export function messageOperations(
  flow: Flow,
  { effect, results }: EffectUse,
): readonly [result: string, operation: string][] {
  const isMessage = messageOf(flow.operations?.[effect]) !== undefined;
  return Object.entries(results).flatMap(([result, { message = isMessage ? effect : undefined }]) =>
    message === undefined ? [] : [[result, message]],
  );
}

export function messageOf(operation: Operation | undefined) {
  return operation?.kind === 'act' ? operation.message : undefined;
}

/** The effect of asking for a message: it is `queued` at once, and sent whatever becomes of the session. */
export const queueEffect = 'queue message';

/**
 * The text that each result of a use sends, by result; undefined where none does.
 *
 * @param known what the service fills in.
 */
export function messagesOf(
  flow: Flow,
  use: EffectUse,
  language: string,
  known: Facts,
): Readonly<Record<string, MessageText>> | undefined {
  const texts = flow.texts[language] ?? flow.texts[flow.defaultLanguage] ?? {};
  const found = messageOperations(flow, use).flatMap(([result, operation]) => {
    const text = texts[messageOf(flow.operations?.[operation])?.text ?? ''];
    const facts = Object.fromEntries(
      Object.entries(known).filter(([name]) => placeholdersIn(text ?? '').includes(name)),
    );
    return text === undefined ? [] : [[result, { operation, text, facts }] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** The keys of all texts that operations send. */
export function sentTexts(flow: Flow): TextKey[] {
  return Object.values(flow.operations ?? {}).flatMap((operation) => messageOf(operation)?.text ?? []);
}

/** The facts that messages name which a screen brings about, apart from those that the result itself tells. */
export function factsOfMessages(flow: Flow, screen: Screen): string[] {
  return effectsOf(screen).flatMap((use) =>
    messageOperations(flow, use).flatMap(([result, operation]) => {
      const key = messageOf(flow.operations?.[operation])?.text ?? '';
      const told = Object.keys(flow.operations?.[use.effect]?.results[result] ?? {});
      return Object.values(flow.texts)
        .flatMap((texts) => placeholdersIn(texts[key] ?? ''))
        .filter((name) => !told.includes(name));
    }),
  );
}
