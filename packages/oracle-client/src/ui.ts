'use client';

// The door of the components: what is not named here is not part of their interface. Styles are in `ui.css` beside it.
export { Approval, type ApprovalProps } from './ui/approvals/approval.js';
export type { CallOptions, LiveAgentEntry } from './ui/call/live-agent-entry.js';
export { standIns, ToolCall, type ToolCallProps } from './ui/calls/tool-call.js';
export { ChatView, type ChatViewProps } from './ui/chat-view.js';
export { Composer, type ComposerProps } from './ui/composer/composer.js';
export { ModelPicker, type ModelPickerProps } from './ui/composer/model-picker.js';
export { Markdown, type MarkdownProps } from './ui/markdown/markdown.js';
export type { RenderMath } from './ui/markdown/markdown-context.js';
export { Message } from './ui/message/message.js';
export type { MessageActs, MessageProps } from './ui/message/message-props.js';
export { Oracle, type OracleProps } from './ui/oracle.js';
export { Sessions, type SessionsProps } from './ui/sessions/sessions.js';
export { StatusLine } from './ui/thread/status-line.js';
export { Thread, type ThreadProps } from './ui/thread/thread.js';
export type { Suggestion } from './ui/thread/welcome.js';
export { UiRoot, type UiRootProps } from './ui/ui-root.js';
export { type Conversation, type ConversationOptions, useConversation } from './ui/use-conversation.js';
export { en } from './ui/words/en.js';
export { fr } from './ui/words/fr.js';
export { sw } from './ui/words/sw.js';
export { useWords, type Words } from './ui/words/words.js';
