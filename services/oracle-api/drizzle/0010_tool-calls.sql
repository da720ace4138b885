CREATE TABLE "tool_calls" (
	"run_id" text NOT NULL,
	"call_id" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tool_calls_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"plugin" text NOT NULL,
	"name" text NOT NULL,
	"kind" text,
	"args" jsonb NOT NULL,
	"outcome" jsonb,
	"begun_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "tool_calls_run_id_call_id_pk" PRIMARY KEY("run_id","call_id")
);
--> statement-breakpoint
ALTER TABLE "tool_calls" ADD CONSTRAINT "tool_calls_run_id_runs_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("run_id") ON DELETE cascade ON UPDATE no action;