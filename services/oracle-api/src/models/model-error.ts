import type { runErrorKind } from '@mlango/schemas/oracle-events';
import type { z } from 'zod';

export type ModelErrorKind = z.infer<typeof runErrorKind>;

/** A model that could not answer. `detail` is for the caller: it never holds keys, addresses or a provider's own text. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: ModelErrorKind;
  readonly detail: string;
  readonly retryable: boolean;

  constructor(kind: ModelErrorKind, detail: string, options: { retryable: boolean; cause?: unknown }) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.detail = detail;
    this.retryable = options.retryable;
  }
}
