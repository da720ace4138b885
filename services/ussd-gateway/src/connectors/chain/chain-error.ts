import { ServiceError } from '@mlango/service-kit/errors';

/** A failure of the chain, or of the query gateway before it. */
export class ChainError extends ServiceError {}
