ALTER TABLE "sessions" ADD COLUMN "archived_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "messages_owner_position_idx" ON "messages" USING btree ("owner_did","position");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "messages_words_idx" ON "messages" USING gin (to_tsvector('simple', left("content", 50000)));