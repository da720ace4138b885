CREATE TABLE "customers" (
	"id" text PRIMARY KEY NOT NULL,
	"creation_key" text NOT NULL,
	"full_name" text NOT NULL,
	"email" text,
	"phone" text NOT NULL,
	"sealed_pin" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "customers_creation_key" UNIQUE("creation_key")
);
--> statement-breakpoint
CREATE TABLE "lockouts" (
	"subject" text PRIMARY KEY NOT NULL,
	"wrong" integer DEFAULT 0 NOT NULL,
	"locks" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp (3) with time zone,
	"last_wrong_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "phones" (
	"number" text PRIMARY KEY NOT NULL,
	"language" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pin_attempts" (
	"key" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"phone" text NOT NULL,
	"outcome" text NOT NULL,
	"attempts_left" integer NOT NULL,
	"counts" boolean NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_phone_phones_number_fk" FOREIGN KEY ("phone") REFERENCES "public"."phones"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pin_attempts_phone_idx" ON "pin_attempts" USING btree ("phone","at");--> statement-breakpoint
CREATE INDEX "pin_attempts_customer_idx" ON "pin_attempts" USING btree ("customer_id");