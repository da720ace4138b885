import type { ModelMessage as SdkMessage, UserModelMessage } from 'ai';

/** First message if a conversation starts with an answer. */
const beginning = '[The conversation begins here.]';

/** Answer of a turn that ended with tool results and without text. */
const noWords = '[No words.]';

/**
 * Makes the roles of a conversation alternate, as many endpoints require: it starts with the user, adjacent messages of one role are
 * merged, and an assistant's message separates tool results from the user's next message. Pure.
 *
 * @param notes inserted before the first message
 */
export function alternateRoles(messages: readonly SdkMessage[], notes?: string): SdkMessage[] {
  const alternating: SdkMessage[] = [];
  const add = (message: SdkMessage): void => {
    const last = alternating.at(-1);
    const merged = last && mergedMessage(last, message);
    if (merged !== undefined) alternating[alternating.length - 1] = merged;
    else if (last?.role === 'tool' && message.role === 'user') {
      alternating.push({ role: 'assistant', content: noWords }, message);
    } else alternating.push(message);
  };
  if (notes !== undefined) add({ role: 'user', content: notes });
  if (messages[0]?.role !== 'user') add({ role: 'user', content: beginning });
  for (const message of messages) add(message);
  return alternating;
}

/** Undefined for messages of different roles. */
function mergedMessage(first: SdkMessage, second: SdkMessage): SdkMessage | undefined {
  const options = mergedOptions(first, second);
  if (first.role === 'user' && second.role === 'user') {
    return { ...options, role: 'user', content: mergedContent(first.content, second.content) };
  }
  if (first.role === 'tool' && second.role === 'tool') {
    return { ...options, role: 'tool', content: [...first.content, ...second.content] };
  }
  if (first.role === 'assistant' && second.role === 'assistant') {
    return { ...options, role: 'assistant', content: [...partsOf(first.content), ...partsOf(second.content)] };
  }
  return undefined;
}

/** Text stays text: not every endpoint accepts parts. */
function mergedContent(first: UserModelMessage['content'], second: UserModelMessage['content']) {
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  const [head, ...rest] = partsOf(second);
  const before = partsOf(first);
  const last = before.at(-1);
  if (last?.type !== 'text' || head?.type !== 'text') return [...before, ...partsOf(second)];
  return [...before.slice(0, -1), { ...head, text: `${last.text}\n\n${head.text}` }, ...rest];
}

function partsOf<Part>(content: string | readonly Part[]): (Part | { type: 'text'; text: string })[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : [...content];
}

function mergedOptions(first: SdkMessage, second: SdkMessage): Pick<SdkMessage, 'providerOptions'> {
  const providerOptions = { ...first.providerOptions, ...second.providerOptions };
  return Object.keys(providerOptions).length === 0 ? {} : { providerOptions };
}
