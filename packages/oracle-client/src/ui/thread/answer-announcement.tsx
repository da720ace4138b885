import { type ReactElement, type RefObject, useEffect, useRef, useState } from 'react';
import type { IChat } from '../../chat/use-chat.js';
import { useWords } from '../words/words.js';

interface AnswerAnnouncementProps {
  readonly chat: Pick<IChat, 'messages' | 'isSending'>;
  /** What the messages are shown in. */
  readonly shown: RefObject<HTMLElement | null>;
}

/** Tells who listens to the page what was answered: once, as it is shown when it has ended, and nothing while it comes. */
export function AnswerAnnouncement({ chat, shown }: AnswerAnnouncementProps): ReactElement {
  const { oracle, endings } = useWords().message;
  const { messages, isSending } = chat;
  const [said, setSaid] = useState('');
  const wasSending = useRef(isSending);
  const last = messages.at(-1);
  useEffect(() => {
    const hasEnded = wasSending.current && !isSending;
    wasSending.current = isSending;
    if (isSending) setSaid('');
    if (!hasEnded || last?.type !== 'ai') return;
    const answers = shown.current?.querySelectorAll('.mlango-answer') ?? [];
    const text = [...answers].at(-1)?.textContent ?? '';
    setSaid(`${oracle}: ${text} ${last.ending === undefined ? '' : endings[last.ending]}`.trim());
  }, [isSending, last, shown, oracle, endings]);
  return (
    <p className="mlango-unseen" role="status" data-testid="announcement">
      {said}
    </p>
  );
}
