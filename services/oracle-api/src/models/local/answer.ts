import type { ModelRequest } from '../language-model.js';
import { intents } from './intents.js';

/** Longer messages are not parsed: the patterns are made for sentences, and are slow on long texts. */
const sentenceChars = 300;

export interface Answer {
  readonly text: string;
  /** False if the text only says that the model does not know. */
  readonly isUnderstood: boolean;
}

/** The answer of the built-in model: from the first intent that matches the user's last message. Pure. */
export function answer(asked: ModelRequest): Answer {
  const request = { ...asked, oracleName: asked.preferences?.agentName ?? asked.oracleName };
  const said = request.messages.filter((message) => message.role === 'user').map((message) => message.content.trim());
  const last = said.at(-1) ?? '';
  const repeated = textToRepeat(last);
  if (repeated !== undefined) return { text: repeated, isUnderstood: true };
  const earlier = said.slice(0, -1).map(excerpt);
  if (last.length <= sentenceChars) {
    const text = last.replace(/\s+/g, ' ');
    for (const intent of intents) {
      const reply = intent.reply({ text, earlier, request });
      if (reply !== undefined) return { text: reply, isUnderstood: true };
    }
  }
  return { text: notUnderstood(request.oracleName), isUnderstood: false };
}

function excerpt(text: string): string {
  const characters = [...text.slice(0, sentenceChars * 2)];
  return characters.length <= sentenceChars ? text : `${characters.slice(0, sentenceChars).join('')}…`;
}

function notUnderstood(oracleName: string): string {
  return (
    `I am ${oracleName}, running on the small built-in model. It follows fixed rules and has no knowledge of the world, ` +
    'so I cannot answer that. Ask "What can you do?" to see what works here.'
  );
}

/** Returns the text after "say", "repeat" or "echo" at the start of a message, of any length; else undefined. */
export function textToRepeat(message: string): string | undefined {
  return /^(?:please )?(?:say|repeat|echo)(?: after me)?[:,]?\s+(\S[\s\S]*)$/i.exec(message)?.[1];
}
