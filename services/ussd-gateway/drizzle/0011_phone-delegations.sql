CREATE TABLE "phone_delegations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"phone" text NOT NULL,
	"kind" text NOT NULL,
	"sealed_token" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "phone_delegations_phone_idx" ON "phone_delegations" USING btree ("phone");--> statement-breakpoint
CREATE INDEX "phone_delegations_expires_at_idx" ON "phone_delegations" USING btree ("expires_at");