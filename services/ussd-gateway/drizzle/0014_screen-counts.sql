CREATE TABLE "screen_counts" (
	"tenant" text NOT NULL,
	"hour" integer NOT NULL,
	"flow" text NOT NULL,
	"version" integer NOT NULL,
	"from_screen" text NOT NULL,
	"to_screen" text NOT NULL,
	"measure" text NOT NULL,
	"bucket" integer NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "screen_counts_pk" PRIMARY KEY("tenant","hour","flow","version","from_screen","to_screen","measure","bucket")
);
--> statement-breakpoint
CREATE INDEX "screen_counts_hour_idx" ON "screen_counts" USING btree ("hour");