import { type FeedbackRating, type FeedbackReason, feedbackReason } from '@mlango/schemas/oracle-feedback';
import type { FeedbackCounts } from './feedback-store.js';

/** So many said the same. */
interface Alike {
  readonly rating: FeedbackRating;
  readonly reasons: readonly FeedbackReason[];
  readonly times: number;
}

/** Ratings and reasons, added up. Pure. */
export function counted(all: readonly Alike[]): Omit<FeedbackCounts, 'comments'> {
  const timesOf = (fits: (alike: Alike) => boolean) => all.filter(fits).reduce((sum, { times }) => sum + times, 0);
  const reasons = feedbackReason.options.map(
    (reason) => [reason, timesOf((alike) => alike.reasons.includes(reason))] as const,
  );
  return {
    up: timesOf(({ rating }) => rating === 'up'),
    down: timesOf(({ rating }) => rating === 'down'),
    reasons: Object.fromEntries(reasons) as FeedbackCounts['reasons'],
  };
}
