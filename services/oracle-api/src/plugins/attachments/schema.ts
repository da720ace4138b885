import { customType, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
/** The drivers return `Uint8Array` or `Buffer`. */
const bytea = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
});

/** Files that users have uploaded. References and indexes are defined in the migrations. */
export const attachmentUploads = pgTable('attachment_uploads', {
  attachmentId: text('attachment_id').primaryKey(),
  ownerDid: text('owner_did').notNull(),
  sessionId: text('session_id').notNull(),
  filename: text('filename').notNull(),
  mediaType: text('media_type').notNull(),
  sizeBytes: integer('size_bytes').notNull(),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at').notNull(),
  bytes: bytea('bytes').notNull(),
});
