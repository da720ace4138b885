CREATE TABLE "api_keys" (
	"key_id" text PRIMARY KEY NOT NULL,
	"owner_did" text NOT NULL,
	"name" text NOT NULL,
	"scopes" jsonb NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "api_keys_owner_idx" ON "api_keys" USING btree ("owner_did");