import type { UiComponents } from '@mlango/oracle-client';
import { ClaimCard } from '../components/claim-card.js';
import { EntityCard } from '../components/entity-card.js';
import { EntityFound } from '../components/entity-found.js';
import { NoticeCard } from '../components/notice-card.js';
import { TokenParametersCard } from '../components/token-parameters-card.js';

/** What this page shows of components that an oracle asks for by name, and of calls that it has a picture of. */
export const uiComponents: UiComponents = {
  entity_card: EntityCard,
  claim_card: ClaimCard,
  token_parameters_card: TokenParametersCard,
  lookup_entity: EntityFound,
  notice_card: NoticeCard,
};
