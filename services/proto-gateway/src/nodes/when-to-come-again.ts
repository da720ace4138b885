import { LaterFailure } from '@mlango/grpc-channel';

/** The headers that tell a caller when to come again; none for other failures. */
export function whenToComeAgain(failure: unknown): Readonly<Record<string, string>> {
  return failure instanceof LaterFailure ? { 'retry-after': '1' } : {};
}
