CREATE TABLE "approval_rules" (
	"rule_id" text PRIMARY KEY NOT NULL,
	"owner_did" text NOT NULL,
	"plugin" text NOT NULL,
	"tool" text NOT NULL,
	"fingerprint" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "approval_rules_tool_key" UNIQUE("owner_did","plugin","tool")
);
--> statement-breakpoint
CREATE TABLE "paused_turns" (
	"run_id" text PRIMARY KEY NOT NULL,
	"state" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "approval" text;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "ask" jsonb;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "why" text;--> statement-breakpoint
ALTER TABLE "paused_turns" ADD CONSTRAINT "paused_turns_run_id_runs_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("run_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "runs_waiting_idx" ON "runs" USING btree ("ended_at") WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX "tool_calls_waiting_idx" ON "tool_calls" USING btree ("expires_at") WHERE approval = 'waiting';