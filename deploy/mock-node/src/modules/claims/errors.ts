import { moduleError, type StatusError } from '../../status-error.js';

const NOT_FOUND_TEXTS = {
  1001: 'collection not found',
  1100: 'claim not found',
  1200: 'dispute not found',
  1500: 'intent not found',
  1800: 'member budget not found',
  1901: 'agent performance-deposit balance not found',
  1910: 'no dispute found for this (subject_id, target_role)',
} as const;

/** The module's errors for what it doesn't have, by its own codes. */
export function notFound(code: keyof typeof NOT_FOUND_TEXTS): StatusError {
  return moduleError('claims', code, NOT_FOUND_TEXTS[code]);
}
