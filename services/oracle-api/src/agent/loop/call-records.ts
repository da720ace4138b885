import { isObject } from '@mlango/service-kit/parse-json';
import type { StoredToolCall } from '../../store/sessions.js';

/** A call that is about to be made. */
export interface NewCall extends Pick<StoredToolCall, 'id' | 'name' | 'kind' | 'args'> {
  /** Name of its plugin. */
  readonly plugin: string;
  /** The approval request and its timeout in ms; absent for a call that is made at once. */
  readonly waits?: { readonly request: ApprovalRequest; readonly forMs: number };
}

/** An approval request. */
export interface ApprovalRequest {
  readonly title: string;
  /** Why approval is required. */
  readonly reason: string;
  /** Fingerprint of the tool at that time: the decision applies to no other one. */
  readonly fingerprint: string;
}

/** A call that requires approval. `begun` after it was approved and made. */
export interface CallApproval extends ApprovalRequest {
  readonly state: 'waiting' | 'allowed' | 'denied' | 'begun';
  /** The owner's reason. */
  readonly why?: string;
}

/** Result of a call: `done`, or `error` with a text for the model. `output` is a JSON text. */
export interface CallOutcome {
  readonly status: 'done' | 'error';
  readonly output: string;
  /** The output is text of this service, not untrusted text. */
  readonly isOwn?: true;
}

/** A stored call. Without an outcome, it is unknown whether the call took effect. */
export interface CallRecord extends Omit<NewCall, 'waits'> {
  readonly approval?: CallApproval;
  /** Deadline of the approval. */
  readonly expiresAt?: Date;
  readonly outcome?: CallOutcome;
}

/** JSON with the fields of objects in order, so that equal values are equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
