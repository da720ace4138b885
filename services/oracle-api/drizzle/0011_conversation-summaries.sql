CREATE TABLE "conversation_summaries" (
	"session_id" text PRIMARY KEY NOT NULL,
	"owner_did" text NOT NULL,
	"up_to" bigint NOT NULL,
	"text" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversation_summaries" ADD CONSTRAINT "conversation_summaries_session_fk" FOREIGN KEY ("owner_did","session_id") REFERENCES "public"."sessions"("owner_did","session_id") ON DELETE cascade ON UPDATE no action;