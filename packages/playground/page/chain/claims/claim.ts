import type { Coin } from '../parts/words.js';

interface Evaluation {
  readonly oracle: string;
  readonly agent_did: string;
  readonly status: string;
  readonly reason: number;
  readonly evaluation_date: string | null;
  readonly amount: readonly Coin[];
}

/** What the views read of a claim. */
export interface Claim {
  readonly claim_id: string;
  readonly collection_id: string;
  readonly agent_did: string;
  readonly agent_address: string;
  readonly submission_date: string | null;
  readonly evaluation: Evaluation | null;
  readonly evaluation_history: readonly Evaluation[];
  readonly payments_status: Readonly<Record<'submission' | 'evaluation' | 'approval' | 'rejection', string>> | null;
  readonly amount: readonly Coin[];
  readonly use_intent: boolean;
}

export interface Collection {
  readonly id: string;
  readonly entity: string;
  readonly admin: string;
  readonly protocol: string;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly state: string;
  readonly quota: string;
  readonly count: string;
  readonly evaluated: string;
  readonly approved: string;
  readonly rejected: string;
  readonly disputed: string;
}

export interface Dispute {
  readonly subject_id: string;
  readonly target_role: string;
  readonly data: { readonly proof: string } | null;
  readonly disputer_did: string;
  readonly submitted_at: string | null;
  readonly status: string;
}
