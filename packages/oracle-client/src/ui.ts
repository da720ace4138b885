'use client';

// The public interface of the components. Styles are in `ui.css`.
export { Approval, type ApprovalProps } from './ui/approvals/approval.js';
export { type ApprovalOptions, type ApprovalParts, useApproval } from './ui/approvals/use-approval.js';
export { type ArgumentField, type ArgumentsParts, useArguments } from './ui/approvals/use-arguments.js';
export type { CallOptions, LiveAgentEntry } from './ui/call/live-agent-entry.js';
export { ChatView, type ChatViewProps } from './ui/chat-view.js';
export { Composer, type ComposerProps } from './ui/composer/composer.js';
export { ModelPicker, type ModelPickerProps } from './ui/composer/model-picker.js';
export { type ComposerOptions, type ComposerParts, useComposer } from './ui/composer/use-composer.js';
export type { PendingFile, Uploads } from './ui/composer/use-uploads.js';
export { Markdown, type MarkdownProps } from './ui/markdown/markdown.js';
export type { RenderMath } from './ui/markdown/math.js';
export { type BranchesParts, branchesOf } from './ui/message/branch-switcher.js';
export { type EditingOptions, type EditingParts, useEditing } from './ui/message/edit-form.js';
export { Message } from './ui/message/message.js';
export type { MessageActs, MessageProps } from './ui/message/message-props.js';
export { Oracle, type OracleProps } from './ui/oracle.js';
export { useCopy } from './ui/parts/copy-button.js';
export { type SessionSearchParts, useSessionSearch } from './ui/sessions/session-search.js';
export { Sessions, type SessionsProps } from './ui/sessions/sessions.js';
export {
  type ListedSession,
  type SessionListOptions,
  type SessionListParts,
  useSessionList,
} from './ui/sessions/use-session-list.js';
export type { Suggestion } from './ui/thread/thread.js';
export { StatusLine, Thread, type ThreadProps } from './ui/thread/thread.js';
export { type ThreadOptions, type ThreadParts, useThread } from './ui/thread/use-thread.js';
export { Card, type CardProps } from './ui/tool-calls/card.js';
export { type ReadToolCall, readToolCall, type ToolCallProps } from './ui/tool-calls/read-tool-call.js';
export { standIns, ToolCall } from './ui/tool-calls/tool-call.js';
export { UiRoot, type UiRootProps } from './ui/ui-root.js';
export { type Conversation, type ConversationOptions, useConversation } from './ui/use-conversation.js';
export { en } from './words/en.js';
export { fr } from './words/fr.js';
export { sw } from './words/sw.js';
export { useWords, type Words } from './words/words.js';
