import { z } from 'zod';

// Replies of described aggregators, from their own documentation: written by hand, so that a test does not compare a
// description with itself.

export const arkeselReply = z.strictObject({
  sessionID: z.string(),
  userID: z.string(),
  msisdn: z.string(),
  message: z.string(),
  continueSession: z.boolean(),
});

export const naloReply = z.strictObject({
  USERID: z.string(),
  MSISDN: z.string(),
  USERDATA: z.string(),
  MSG: z.string(),
  MSGTYPE: z.boolean(),
});

export const moolreReply = z.strictObject({ message: z.string(), reply: z.boolean() });

export const korbaReply = z.strictObject({ message: z.string(), ussdServiceOp: z.literal([2, 17]) });
