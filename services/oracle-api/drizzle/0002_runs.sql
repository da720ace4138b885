CREATE TABLE "delegations" (
	"owner_did" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"expires_at" bigint
);
--> statement-breakpoint
CREATE TABLE "preferences" (
	"owner_did" text PRIMARY KEY NOT NULL,
	"record" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"run_id" text PRIMARY KEY NOT NULL,
	"owner_did" text NOT NULL,
	"session_id" text NOT NULL,
	"request_id" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "runs_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"status" text NOT NULL,
	"writer_id" text NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"stop" text,
	"partial_text" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "runs_session_request_key" UNIQUE("session_id","request_id")
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "tool_calls" jsonb;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "reasoning" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "attachments" jsonb;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_session_fk" FOREIGN KEY ("owner_did","session_id") REFERENCES "public"."sessions"("owner_did","session_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "runs_one_running_idx" ON "runs" USING btree ("session_id") WHERE status in ('running', 'recovering');--> statement-breakpoint
CREATE INDEX "runs_session_position_idx" ON "runs" USING btree ("session_id","position");--> statement-breakpoint
CREATE INDEX "runs_live_lease_idx" ON "runs" USING btree ("lease_until") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "runs_ended_idx" ON "runs" USING btree ("ended_at");