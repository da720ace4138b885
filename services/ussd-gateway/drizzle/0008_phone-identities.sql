CREATE TABLE "phone_identities" (
	"phone" text PRIMARY KEY NOT NULL,
	"did" text NOT NULL,
	"sealed_seed" text NOT NULL,
	"sealed_grant" text NOT NULL,
	"session_id" text,
	"asked_on" date,
	"asked" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "phone_identities_did" UNIQUE("did")
);
