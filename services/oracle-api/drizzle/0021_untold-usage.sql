CREATE TABLE "untold_usage" (
	"run_id" text NOT NULL,
	"part" integer NOT NULL,
	"owner_did" text NOT NULL,
	"usage" jsonb NOT NULL,
	"waits_until" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "untold_usage_run_id_part_pk" PRIMARY KEY("run_id","part")
);
--> statement-breakpoint
CREATE INDEX "untold_usage_due_idx" ON "untold_usage" USING btree ("next_attempt_at");--> statement-breakpoint
CREATE INDEX "untold_usage_owner_idx" ON "untold_usage" USING btree ("owner_did","run_id");