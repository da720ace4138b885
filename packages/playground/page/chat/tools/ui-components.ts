import type { UiComponents } from '@mlango/oracle-client';
import { ClaimCard } from '../components/claim-card.js';
import { EntityCard } from '../components/entity-card.js';
import { EntityFound } from '../components/entity-found.js';
import { NoticeCard } from '../components/notice-card.js';
import { TokenParametersCard } from '../components/token-parameters-card.js';
import { ToolCallView } from '../components/tool-call-view.js';
import { TurnFailure } from '../components/turn-failure.js';

/** What this page shows of calls, and of components that an oracle asks for by name. */
export const uiComponents: UiComponents = {
  entity_card: EntityCard,
  claim_card: ClaimCard,
  token_parameters_card: TokenParametersCard,
  lookup_entity: EntityFound,
  notice_card: NoticeCard,
  ToolCall: ToolCallView,
  Error: TurnFailure,
};
