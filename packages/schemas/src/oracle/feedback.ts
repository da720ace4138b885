import { z } from 'zod';
import { isoTime } from '../common/iso-time.js';
import { sessionPath } from './sessions.js';

export const feedbackLimits = { commentChars: 1_000, ofSession: 500 } as const;

export const feedbackRating = z.enum(['up', 'down']);
export type FeedbackRating = z.infer<typeof feedbackRating>;

/** Reasons why an answer is wrong, or right. */
export const feedbackReason = z.enum(['incorrect', 'incomplete', 'off_topic', 'unclear', 'harmful']);
export type FeedbackReason = z.infer<typeof feedbackReason>;

const reasons = z
  .array(feedbackReason)
  .max(feedbackReason.options.length)
  .transform((named) => feedbackReason.options.filter((each) => named.includes(each)))
  .describe('Each reason once');

/** Feedback of a user on an answer. Replaces earlier feedback: missing fields are removed. */
export const feedbackBody = z.object({
  rating: feedbackRating,
  reasons: reasons.default([]),
  comment: z
    .string()
    .trim()
    .max(feedbackLimits.commentChars)
    .optional()
    .describe('For the operator of the oracle; the model does not read it'),
});

export const feedbackPath = sessionPath.extend({
  messageId: z.string().min(1).max(256).describe('Id of an answer'),
});

export const feedbackRecord = z
  .object({
    messageId: z.string(),
    rating: feedbackRating,
    reasons: z.array(feedbackReason),
    comment: z.string().optional(),
    updatedAt: isoTime,
  })
  .describe('Feedback of the user on an answer');
export type FeedbackRecord = z.infer<typeof feedbackRecord>;

export const feedbackList = z.object({
  feedback: z.array(feedbackRecord).describe(`Newest first, at most ${feedbackLimits.ofSession}`),
});

export const feedbackTakenBack = z.object({ message: z.literal('Feedback deleted successfully') });

export const feedbackSummaryQuery = z.object({
  days: z.coerce.number().int().min(1).max(365).default(30).describe('Number of days to report'),
  comments: z.coerce.number().int().min(0).max(100).default(20).describe('Number of comments, newest first'),
});

const counted = z.int().min(0);

export const feedbackSummary = z
  .object({
    since: isoTime,
    up: counted,
    down: counted,
    reasons: z.record(feedbackReason, counted).describe('Number of answers with each reason'),
    comments: z
      .array(feedbackRecord.omit({ messageId: true }).required({ comment: true }))
      .describe('Newest first, without users'),
  })
  .describe('Feedback of users on answers');
export type FeedbackSummary = z.infer<typeof feedbackSummary>;
