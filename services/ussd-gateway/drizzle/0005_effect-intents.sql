CREATE TABLE "effect_intents" (
	"key" text PRIMARY KEY NOT NULL,
	"aggregator" text NOT NULL,
	"phone" text NOT NULL,
	"service_code" text NOT NULL,
	"effect" text NOT NULL,
	"place" jsonb NOT NULL,
	"sealed_input" text,
	"input_digest" text NOT NULL,
	"outcome" jsonb,
	"tries" integer DEFAULT 1 NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"told_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "effects_done" (
	"key" text PRIMARY KEY NOT NULL,
	"outcome" jsonb,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "phones_language_at_idx";--> statement-breakpoint
CREATE UNIQUE INDEX "effect_intents_one_at_a_time" ON "effect_intents" USING btree ("phone","effect","aggregator","service_code") WHERE "effect_intents"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "effect_intents_untold_idx" ON "effect_intents" USING btree ("phone") WHERE "effect_intents"."told_at" is null;--> statement-breakpoint
CREATE INDEX "effect_intents_due_idx" ON "effect_intents" USING btree ("due_at") WHERE "effect_intents"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "effect_intents_ended_idx" ON "effect_intents" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "effects_done_at_idx" ON "effects_done" USING btree ("at");--> statement-breakpoint
ALTER TABLE "phones" DROP COLUMN "language_at";