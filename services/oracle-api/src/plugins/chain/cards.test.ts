import { describe, expect, it } from 'vitest';
import { claimCard, entityCard, tokenParametersCard } from './cards.js';

const did = 'did:ixo:entity:e1';

describe('a card', () => {
  it('has the plain facts of the result', () => {
    const entity = {
      id: did,
      type: 'oracle',
      start_date: '2026-01-01T00:00:00Z',
      end_date: null,
      entity_verified: true,
    };
    expect(entityCard({ entity, iid_document: { id: did, controller: [did] } })).toEqual({
      componentName: 'entity_card',
      args: { did, type: 'oracle', isVerified: true, startDate: '2026-01-01T00:00:00Z', controllers: [did] },
    });
    const claim = { claim_id: 'bafk1', collection_id: '1', agent_did: did, submission_date: '2026-01-02T00:00:00Z' };
    expect(claimCard({ claim: { ...claim, evaluation: { status: 'APPROVED', evaluation_date: null } } })).toEqual({
      componentName: 'claim_card',
      args: {
        claimId: 'bafk1',
        collectionId: '1',
        agentDid: did,
        submissionDate: '2026-01-02T00:00:00Z',
        evaluation: 'APPROVED',
      },
    });
    expect(tokenParametersCard({ params: { ixo1155_contract_code: '25' } })).toEqual({
      componentName: 'token_parameters_card',
      args: { contractCode: '25' },
    });
  });

  it('leaves out a fact in an unknown form, and never shows a part of one', () => {
    const entity = { id: did, type: 7, start_date: 'x'.repeat(301), entity_verified: 'yes' };
    expect(entityCard({ entity, iid_document: null })?.args).toEqual({ did });
    expect(claimCard({ claim: { claim_id: 'bafk1', evaluation: null } })?.args).toEqual({ claimId: 'bafk1' });
    const controller = Array.from({ length: 1_000 }, (_, index) => `did:x:${index}`);
    expect(entityCard({ entity, iid_document: { controller } })?.args['controllers']).toEqual(controller.slice(0, 10));
  });

  it.each([undefined, null, 'text', {}, { entity: {} }, { entity: { id: 'x'.repeat(301) } }, { claim: [] }])(
    'is not made of %j',
    (answer) => {
      for (const cardOf of [entityCard, claimCard, tokenParametersCard]) expect(cardOf(answer)).toBeUndefined();
    },
  );
});
