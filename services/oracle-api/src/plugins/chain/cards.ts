import { z } from 'zod';

/** A card for a page to render: the name of a component, and its properties. */
export interface Card {
  readonly componentName: 'entity_card' | 'claim_card' | 'token_parameters_card';
  readonly args: Readonly<Record<string, unknown>>;
}

/** Creates the card of a reply of the query gateway; undefined if the reply lacks the card's subject. Pure. */
export type CardOf = (answer: unknown) => Card | undefined;

/** Maximum length of a fact; a longer one is left out, since a truncated id would be a different id. */
const factChars = 300;
const maxControllers = 10;

const subject = z.string().min(1).max(factChars);
/** A missing fact, or one in an unknown form, is left out; the card shows the others. */
const fact = subject.optional().catch(undefined);

const entityAnswer = z.object({
  entity: z.object({
    id: subject,
    type: fact,
    start_date: fact,
    end_date: fact,
    entity_verified: z.boolean().optional().catch(undefined),
  }),
  iid_document: z
    .object({ controller: z.array(subject) })
    .optional()
    .catch(undefined),
});

/** The entity, with the controllers of its DID document. */
export const entityCard: CardOf = (answer) => {
  const { data } = entityAnswer.safeParse(answer);
  if (data === undefined) return undefined;
  const { entity, iid_document: document } = data;
  return {
    componentName: 'entity_card',
    args: known({
      did: entity.id,
      type: entity.type,
      isVerified: entity.entity_verified,
      startDate: entity.start_date,
      endDate: entity.end_date,
      controllers: document?.controller.slice(0, maxControllers),
    }),
  };
};

const claimAnswer = z.object({
  claim: z.object({
    claim_id: subject,
    collection_id: fact,
    agent_did: fact,
    submission_date: fact,
    evaluation: z.object({ status: fact, evaluation_date: fact }).optional().catch(undefined),
  }),
});

export const claimCard: CardOf = (answer) => {
  const { data } = claimAnswer.safeParse(answer);
  if (data === undefined) return undefined;
  const { claim } = data;
  return {
    componentName: 'claim_card',
    args: known({
      claimId: claim.claim_id,
      collectionId: claim.collection_id,
      agentDid: claim.agent_did,
      submissionDate: claim.submission_date,
      evaluation: claim.evaluation?.status,
      evaluationDate: claim.evaluation?.evaluation_date,
    }),
  };
};

const tokenAnswer = z.object({ params: z.object({ ixo1155_contract_code: subject }) });

export const tokenParametersCard: CardOf = (answer) => {
  const { data } = tokenAnswer.safeParse(answer);
  if (data === undefined) return undefined;
  return { componentName: 'token_parameters_card', args: { contractCode: data.params.ixo1155_contract_code } };
};

function known(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
