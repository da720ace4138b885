ALTER TABLE "phones" ADD COLUMN "language_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "phones_language_at_idx" ON "phones" USING btree ("language_at","number") WHERE "phones"."language_at" is not null;--> statement-breakpoint
UPDATE "phones" SET "language_at" = now() WHERE "language" IS NOT NULL;
