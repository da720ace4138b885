CREATE SEQUENCE "public"."plugin_state_versions" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "plugin_state" (
	"plugin" text NOT NULL,
	"owner_did" text NOT NULL,
	"key" text NOT NULL,
	"value" text NOT NULL,
	"version" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "plugin_state_plugin_owner_did_key_pk" PRIMARY KEY("plugin","owner_did","key")
);
--> statement-breakpoint
CREATE INDEX "plugin_state_expires_idx" ON "plugin_state" USING btree ("expires_at") WHERE expires_at is not null;