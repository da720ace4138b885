import type { runErrorKind } from '@mlango/schemas/oracle-events';
import type { z } from 'zod';

export type ModelErrorKind = z.infer<typeof runErrorKind>;

interface ModelErrorOptions {
  readonly retryable: boolean;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  /** For programs that read the error. */
  readonly code?: string;
  readonly cause?: unknown;
}

/** A model that could not answer. `detail` is for the caller: it never holds keys, addresses or a provider's own text. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: ModelErrorKind;
  readonly detail: string;
  readonly code: string | undefined;
  /** Whether the same message may succeed later. */
  readonly retryable: boolean;
  /** HTTP status of the provider, if any. */
  readonly status: number | undefined;
  /** Wait that the provider requires, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: ModelErrorKind, detail: string, options: ModelErrorOptions) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.detail = detail;
    this.code = options.code;
    this.retryable = options.retryable;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }
}
