CREATE TABLE "ucan_revocations" (
	"cid" text NOT NULL,
	"issuer" text NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "ucan_revocations_cid_issuer_pk" PRIMARY KEY("cid","issuer")
);
--> statement-breakpoint
CREATE INDEX "ucan_revocations_expires_at" ON "ucan_revocations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "ucan_revocations_issuer" ON "ucan_revocations" USING btree ("issuer");