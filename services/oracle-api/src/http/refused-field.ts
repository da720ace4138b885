import { ServiceError } from '@mlango/service-kit/errors';

/** What is wrong with one field of a request, which its schema could not tell. */
export function refusedField(place: string, field: string, message: string): ServiceError {
  return new ServiceError('invalid_argument', `${place}.${field}: ${message}`, { details: { fields: [field] } });
}
