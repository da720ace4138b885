CREATE TABLE "branch_summaries" (
	"session_id" text NOT NULL,
	"branch" text NOT NULL,
	"owner_did" text NOT NULL,
	"up_to" bigint NOT NULL,
	"text" text NOT NULL,
	"sources" jsonb,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "branch_summaries_session_id_branch_pk" PRIMARY KEY("session_id","branch")
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "branch" jsonb;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "branch" jsonb;--> statement-breakpoint
ALTER TABLE "branch_summaries" ADD CONSTRAINT "branch_summaries_session_fk" FOREIGN KEY ("owner_did","session_id") REFERENCES "public"."sessions"("owner_did","session_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "messages_forks_idx" ON "messages" USING btree ("session_id") WHERE "messages"."branch" ->> 'id' = "messages"."turn_id";