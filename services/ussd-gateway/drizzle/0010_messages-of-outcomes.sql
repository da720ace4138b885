DROP INDEX "effect_intents_one_at_a_time";--> statement-breakpoint
ALTER TABLE "effect_intents" ADD COLUMN "follows" text;--> statement-breakpoint
ALTER TABLE "effect_intents" ADD COLUMN "handed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "effect_intents" ADD COLUMN "reference" text;--> statement-breakpoint
CREATE INDEX "effect_intents_follow_idx" ON "effect_intents" USING btree ("phone","started_at") WHERE "effect_intents"."follows" is not null;--> statement-breakpoint
CREATE INDEX "effect_intents_reference_idx" ON "effect_intents" USING btree ("reference") WHERE "effect_intents"."reference" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "effect_intents_one_at_a_time" ON "effect_intents" USING btree ("phone","effect","aggregator","service_code") WHERE ("effect_intents"."ended_at" is null and "effect_intents"."follows" is null);