import { bigint, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** Calls of users with the oracle. What they refer to and the indexes over them stand in the migrations. */
export const calls = pgTable('calls', {
  callId: text('call_id').primaryKey(),
  ownerDid: text('owner_did').notNull(),
  sessionId: text('session_id').notNull(),
  /** Order in which they were started. */
  position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  kind: text('kind', { enum: ['audio', 'video'] }).notNull(),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at').notNull(),
  startedAt: moment('started_at'),
  endedAt: moment('ended_at'),
  endReason: text('end_reason', { enum: ['hung_up', 'room_closed', 'expired'] }),
  /** What the media keys are made from; gone when the call has ended. */
  sealedKey: text('sealed_key'),
});

/** Who was in a call: the last time they came and the last time they left, each null until it was told of. */
export const callParticipants = pgTable('call_participants', {
  callId: text('call_id').notNull(),
  identity: text('identity').notNull(),
  /** Order in which they were first told of. */
  position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  joinedAt: moment('joined_at'),
  leftAt: moment('left_at'),
});
