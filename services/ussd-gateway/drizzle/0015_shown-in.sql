DROP INDEX "effect_intents_follow_idx";--> statement-breakpoint
ALTER TABLE "effect_intents" ADD COLUMN "shown_in" text;--> statement-breakpoint
CREATE INDEX "effect_intents_phone_idx" ON "effect_intents" USING btree ("phone","started_at");