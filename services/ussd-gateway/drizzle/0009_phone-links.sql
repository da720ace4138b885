CREATE TABLE "link_codes" (
	"mac" text PRIMARY KEY NOT NULL,
	"phone" text,
	"did" text,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "phone_identities" ADD COLUMN "linked_did" text;--> statement-breakpoint
ALTER TABLE "phone_identities" ADD COLUMN "sealed_link" text;--> statement-breakpoint
CREATE INDEX "link_codes_phone_idx" ON "link_codes" USING btree ("phone");--> statement-breakpoint
CREATE INDEX "link_codes_until_idx" ON "link_codes" USING btree ("until");