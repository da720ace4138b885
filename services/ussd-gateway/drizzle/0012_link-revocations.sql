CREATE TABLE "link_revocations" (
	"cid" text NOT NULL,
	"issuer" text NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "link_revocations_cid_issuer_pk" PRIMARY KEY("cid","issuer")
);
--> statement-breakpoint
CREATE INDEX "link_revocations_expires_at" ON "link_revocations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "link_revocations_issuer" ON "link_revocations" USING btree ("issuer");