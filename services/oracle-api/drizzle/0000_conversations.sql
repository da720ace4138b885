CREATE TABLE "messages" (
	"session_id" text NOT NULL,
	"message_id" text NOT NULL,
	"owner_did" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "messages_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"turn_id" text NOT NULL,
	"type" text NOT NULL,
	"content" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "messages_session_id_message_id_pk" PRIMARY KEY("session_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"session_id" text PRIMARY KEY NOT NULL,
	"owner_did" text NOT NULL,
	"title" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sessions_owner_session_key" UNIQUE("owner_did","session_id")
);
--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_session_fk" FOREIGN KEY ("owner_did","session_id") REFERENCES "public"."sessions"("owner_did","session_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "messages_session_position_idx" ON "messages" USING btree ("session_id","position");--> statement-breakpoint
CREATE INDEX "sessions_owner_activity_idx" ON "sessions" USING btree ("owner_did","last_updated_at","session_id");