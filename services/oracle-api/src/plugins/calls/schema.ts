import { bigint, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** Calls of users with the oracle. References and indexes are defined in the migrations. */
export const calls = pgTable('calls', {
  callId: text('call_id').primaryKey(),
  ownerDid: text('owner_did').notNull(),
  sessionId: text('session_id').notNull(),
  /** Order of their start. */
  position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  kind: text('kind', { enum: ['audio', 'video'] }).notNull(),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at').notNull(),
  startedAt: moment('started_at'),
  endedAt: moment('ended_at'),
  endReason: text('end_reason', { enum: ['hung_up', 'room_closed', 'expired'] }),
  /** Source of the media keys; empty after the end of the call. */
  sealedKey: text('sealed_key'),
});

/** Participants of calls: the last arrival and the last departure, each null until it is reported. */
export const callParticipants = pgTable('call_participants', {
  callId: text('call_id').notNull(),
  identity: text('identity').notNull(),
  /** Order of the first reports. */
  position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  joinedAt: moment('joined_at'),
  leftAt: moment('left_at'),
});
