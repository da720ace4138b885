import type { UiComponents } from '@mlango/oracle-client';
import { EntityFound } from '../components/entity-found.js';
import { NoticeCard } from '../components/notice-card.js';
import { ToolCallView } from '../components/tool-call-view.js';
import { TurnFailure } from '../components/turn-failure.js';

/** What this page shows of calls, and of components that an oracle asks for by name. */
export const uiComponents: UiComponents = {
  lookup_entity: EntityFound,
  notice_card: NoticeCard,
  ToolCall: ToolCallView,
  Error: TurnFailure,
};
