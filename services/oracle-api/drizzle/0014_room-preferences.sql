CREATE TABLE "room_preferences" (
	"owner_did" text NOT NULL,
	"room_id" text NOT NULL,
	"record" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "room_preferences_owner_did_room_id_pk" PRIMARY KEY("owner_did","room_id")
);
