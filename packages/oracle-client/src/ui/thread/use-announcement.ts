import { type RefObject, useEffect, useRef, useState } from 'react';
import type { IChat } from '../../chat/use-chat.js';
import { textOfMessage } from '../message/text-of-message.js';
import { useWords } from '../words/words.js';

/**
 * What tells who listens to the page what was answered: once, as it is shown when it has ended, and nothing while it comes.
 * @param shown what the messages are shown in
 */
export function useAnnouncement(
  { messages, isSending }: Pick<IChat, 'messages' | 'isSending'>,
  shown: RefObject<HTMLElement | null>,
): string {
  const { oracle, endings } = useWords().message;
  const [said, setSaid] = useState('');
  const wasSending = useRef(isSending);
  const last = messages.at(-1);
  useEffect(() => {
    const hasEnded = wasSending.current && !isSending;
    wasSending.current = isSending;
    if (isSending) setSaid('');
    if (!hasEnded || last?.type !== 'ai') return;
    const answers = shown.current?.querySelectorAll('.mlango-answer') ?? [];
    const text = [...answers].at(-1)?.textContent ?? textOfMessage(last);
    setSaid(`${oracle}: ${text} ${last.ending === undefined ? '' : endings[last.ending]}`.trim());
  }, [isSending, last, shown, oracle, endings]);
  return said;
}
