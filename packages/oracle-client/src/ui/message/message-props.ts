import type { IMessage } from '../../api/chat/message.js';
import type { IChat } from '../../hooks/use-chat.js';
import type { IAnswerFeedback, IFeedback } from '../../hooks/use-feedback.js';

/** The possible actions on a message; each may be absent. */
export type MessageActs = Partial<
  Pick<IChat, 'edit' | 'regenerate' | 'selectBranch' | 'resend' | 'openAttachment'> &
    Pick<IAnswerFeedback, 'giveFeedback'>
>;

export interface MessageProps {
  readonly message: IMessage;
  /** The same object until something changes, so that an unchanged message is not rendered again. */
  readonly acts?: MessageActs;
  /** The user's feedback. */
  readonly feedback?: IFeedback | undefined;
  /** It has no answer, and will get none. */
  readonly isUnanswered?: boolean;
  /** It was searched for. */
  readonly isSought?: boolean;
  /** It is being edited. */
  readonly isEditing?: boolean;
  readonly onEditing?: (messageId: string | undefined) => void;
}

/** The text of a message, without its components. */
export function textOfMessage({ content }: Pick<IMessage, 'content'>): string {
  if (typeof content === 'string') return content;
  return content.filter((part) => typeof part === 'string').join('\n\n');
}
