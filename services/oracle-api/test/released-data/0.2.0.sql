-- session bf1e66d1-d56a-4fa3-8326-c3a2578e4c01
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA drizzle;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE drizzle.__drizzle_migrations (
    id integer NOT NULL,
    hash text NOT NULL,
    created_at bigint
);
CREATE SEQUENCE drizzle.__drizzle_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE drizzle.__drizzle_migrations_id_seq OWNED BY drizzle.__drizzle_migrations.id;
CREATE TABLE drizzle.__owned_migrations (
    owner text NOT NULL,
    name text NOT NULL
);
CREATE TABLE public.api_keys (
    key_id text NOT NULL,
    owner_did text NOT NULL,
    name text NOT NULL,
    scopes jsonb NOT NULL,
    hash text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone
);
CREATE TABLE public.approval_rules (
    rule_id text NOT NULL,
    owner_did text NOT NULL,
    plugin text NOT NULL,
    tool text NOT NULL,
    fingerprint text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    says text DEFAULT 'allow'::text NOT NULL
);
CREATE TABLE public.attachment_uploads (
    attachment_id text NOT NULL,
    owner_did text NOT NULL,
    session_id text NOT NULL,
    filename text NOT NULL,
    media_type text NOT NULL,
    size_bytes integer NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    bytes bytea NOT NULL
);
CREATE TABLE public.branch_summaries (
    session_id text NOT NULL,
    branch text NOT NULL,
    owner_did text NOT NULL,
    up_to bigint NOT NULL,
    text text NOT NULL,
    sources jsonb,
    updated_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.conversation_summaries (
    session_id text NOT NULL,
    owner_did text NOT NULL,
    up_to bigint NOT NULL,
    text text NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    sources jsonb
);
CREATE TABLE public.delegations (
    owner_did text NOT NULL,
    sealed text NOT NULL,
    expires_at bigint
);
CREATE TABLE public.feedback (
    owner_did text NOT NULL,
    session_id text NOT NULL,
    message_id text NOT NULL,
    rating text NOT NULL,
    reasons jsonb NOT NULL,
    comment text,
    updated_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.memories (
    owner_did text NOT NULL,
    memory_id text NOT NULL,
    "position" bigint NOT NULL,
    kind text NOT NULL,
    title text,
    content text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    words tsvector GENERATED ALWAYS AS (to_tsvector('english'::regconfig, ((COALESCE(title, ''::text) || ' '::text) || content))) STORED NOT NULL
);
ALTER TABLE public.memories ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.memories_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.messages (
    session_id text NOT NULL,
    message_id text NOT NULL,
    owner_did text NOT NULL,
    "position" bigint NOT NULL,
    turn_id text NOT NULL,
    type text NOT NULL,
    content text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    tool_calls jsonb,
    reasoning text,
    attachments jsonb,
    finish_reason text,
    status text,
    branch jsonb,
    components jsonb
);
ALTER TABLE public.messages ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.messages_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.paused_turns (
    run_id text NOT NULL,
    state jsonb NOT NULL
);
CREATE TABLE public.plugin_state (
    plugin text NOT NULL,
    owner_did text NOT NULL,
    key text NOT NULL,
    value text NOT NULL,
    version bigint NOT NULL,
    expires_at timestamp(3) with time zone
);
CREATE SEQUENCE public.plugin_state_versions
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.preferences (
    owner_did text NOT NULL,
    record jsonb NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.room_preferences (
    owner_did text NOT NULL,
    room_id text NOT NULL,
    record jsonb NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.runs (
    run_id text NOT NULL,
    owner_did text NOT NULL,
    session_id text NOT NULL,
    request_id text NOT NULL,
    "position" bigint NOT NULL,
    status text NOT NULL,
    writer_id text NOT NULL,
    lease_until timestamp(3) with time zone NOT NULL,
    stop text,
    partial_text text DEFAULT ''::text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    ended_at timestamp(3) with time zone,
    text_marks text
);
ALTER TABLE public.runs ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.runs_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.sessions (
    session_id text NOT NULL,
    owner_did text NOT NULL,
    title text,
    created_at timestamp(3) with time zone NOT NULL,
    last_updated_at timestamp(3) with time zone NOT NULL,
    room_id text,
    archived_at timestamp(3) with time zone,
    branch jsonb
);
CREATE TABLE public.tool_calls (
    run_id text NOT NULL,
    call_id text NOT NULL,
    "position" bigint NOT NULL,
    plugin text NOT NULL,
    name text NOT NULL,
    kind text,
    args jsonb NOT NULL,
    outcome jsonb,
    begun_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    ended_at timestamp(3) with time zone,
    approval text,
    ask jsonb,
    expires_at timestamp(3) with time zone,
    why text
);
ALTER TABLE public.tool_calls ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.tool_calls_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ucan_replays (
    cid text NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.ucan_revocations (
    cid text NOT NULL,
    issuer text NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.untold_usage (
    run_id text NOT NULL,
    part integer NOT NULL,
    owner_did text NOT NULL,
    usage jsonb NOT NULL,
    waits_until timestamp(3) with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY drizzle.__drizzle_migrations ALTER COLUMN id SET DEFAULT nextval('drizzle.__drizzle_migrations_id_seq'::regclass);
INSERT INTO drizzle.__drizzle_migrations VALUES (1, '1d854b38001ea13ff2723e6ffa3f1df1ef81056cd048d9b00ec8dee71dba180c', 1795172012722);
INSERT INTO drizzle.__drizzle_migrations VALUES (2, 'b744877ce01c938942d097329be75a6c6840446ef8bf3b9258c28dd9003bf835', 1795183429984);
INSERT INTO drizzle.__drizzle_migrations VALUES (3, '057529b6fec4f7f89f5b9bccf6883f596297c197a0f821327611ca1ba5acde78', 1795183827734);
INSERT INTO drizzle.__drizzle_migrations VALUES (4, '4a29a7d2779462f48058dd19c5dac710e3e955cecdeff7ed0c63809bf40be238', 1795186725668);
INSERT INTO drizzle.__drizzle_migrations VALUES (5, 'dfa95129d943114a934e643b7460f166c28fa8372df4eb84486535ce2b07ac2b', 1795189673166);
INSERT INTO drizzle.__drizzle_migrations VALUES (6, '595b38e0883354d72e9066e62a0dbc3a34b3ae93fa04e9adf8822adfe3ffd6dd', 1795312447479);
INSERT INTO drizzle.__drizzle_migrations VALUES (7, '7f9abc10b8e3615da0bfde03fc5913ef031dce9ee23e709d1c05bfbb787a862c', 1795315479865);
INSERT INTO drizzle.__drizzle_migrations VALUES (8, '1ca29dee46abbcd03f4272cdaee127568e271ec0393a5b855a26d48d315b2b75', 1795346988466);
INSERT INTO drizzle.__drizzle_migrations VALUES (9, '756f4a44448d6d7f1dbe2edc254cd81ab180be873249d3d55a52c62a6aac213c', 1795360557143);
INSERT INTO drizzle.__drizzle_migrations VALUES (10, '579f528b1f1b8adb44903a93a8c66c7a3018ce8e6fb431619e57e2bc0fb21093', 1795373976983);
INSERT INTO drizzle.__drizzle_migrations VALUES (11, 'e51cb660d142f6b5339ac13f4ad79e3487ff2f875dcecbb9738c1999904df098', 1795381609544);
INSERT INTO drizzle.__drizzle_migrations VALUES (12, '899a7d22d77758c287b652e54110afbdcd0f5e1776a5af3345a317952672e38c', 1795382876434);
INSERT INTO drizzle.__drizzle_migrations VALUES (13, 'e7af25b7d45f18704a183d2095eae513dca37b6f88d0e09442ff5e461e1dc51c', 1795384213229);
INSERT INTO drizzle.__drizzle_migrations VALUES (14, '4f20b895c7816ecdda14446554267b632701ad604c1eebab4651e30a1dc5e5b3', 1795387074805);
INSERT INTO drizzle.__drizzle_migrations VALUES (15, 'df73f30e0ac0c22d4c8cf59d5d0e2aa2558d37d1e6cae0fbb2ea2532b125b1f8', 1795387658034);
INSERT INTO drizzle.__drizzle_migrations VALUES (16, '45bc359b046f155c9ea5c986cd0bd8aa00f699aea35bd2f17e35971aad622d67', 1795391747880);
INSERT INTO drizzle.__drizzle_migrations VALUES (17, '4b20721b82596f039597f44f1ba5036e96c28c11cc2ed9dc3bfd2444b93d4201', 1795392194971);
INSERT INTO drizzle.__drizzle_migrations VALUES (18, 'a67991d3c813c7b42421b20e8e6750713d915eea1be3b54d115391e2b0822482', 1795393004216);
INSERT INTO drizzle.__drizzle_migrations VALUES (19, '7bca4e2e3511b050a30b4178fe20ceba3c85db409fcf2406449ba6e7a072acb2', 1795393591358);
INSERT INTO drizzle.__drizzle_migrations VALUES (20, '93b542b06b18b0445b0e4bfdb1e38780296395f5fcce64ef4d36f1c1b6c3d3aa', 1795394689382);
INSERT INTO drizzle.__drizzle_migrations VALUES (21, '2035ab07501b6dac1b29b8e3545de76a0b55dc54aeab7a00d965c50eb33ecb46', 1795396318095);
INSERT INTO drizzle.__drizzle_migrations VALUES (22, '31f66dfa8cda8e58650f19fde2207e2965f12125979989271440a4173e349154', 1795403774378);
INSERT INTO drizzle.__drizzle_migrations VALUES (23, '7b1e7665094947ce2adfafef6f48eeb32864d47ebff8d101deb6b72d0603d736', 1795415404307);
INSERT INTO drizzle.__drizzle_migrations VALUES (24, '9012620ea6cfa8383c2f5a3c2206284774a20ea9dc98bd17d3f85f34de514ad6', 1795416440024);
INSERT INTO drizzle.__drizzle_migrations VALUES (25, 'f2701b0f99f1f485a27ea9ba0874a4d4f6765f22b4f9915313828368f4210a6e', 1795430401727);
INSERT INTO drizzle.__owned_migrations VALUES ('plugin attachments', '0000_attachment_uploads');
INSERT INTO drizzle.__owned_migrations VALUES ('plugin feedback', '0000_feedback');
INSERT INTO drizzle.__owned_migrations VALUES ('plugin memory', '0000_memories');
INSERT INTO public.memories OVERRIDING SYSTEM VALUE VALUES ('did:key:z6MkkBPYdMyzcYZ82316KGBobVXJL619wybD692WpZaPQSBg', '84cacc36-f2f3-4339-8152-8ef4040f233b', 1, 'fact', NULL, 'likes ginger tea', '2026-11-27 00:41:23.509+00', DEFAULT);
INSERT INTO public.messages OVERRIDING SYSTEM VALUE VALUES ('bf1e66d1-d56a-4fa3-8326-c3a2578e4c01', 'a5f8ce85-0aac-47bb-a781-fdc311cdc7fb~human', 'did:key:z6MkkBPYdMyzcYZ82316KGBobVXJL619wybD692WpZaPQSBg', 1, 'd9b98cb8-6752-4dea-a534-c74b2cbfe7a1', 'human', 'The tea is under the stairs.', '2026-11-27 00:41:22.789+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.messages OVERRIDING SYSTEM VALUE VALUES ('bf1e66d1-d56a-4fa3-8326-c3a2578e4c01', 'a5f8ce85-0aac-47bb-a781-fdc311cdc7fb', 'did:key:z6MkkBPYdMyzcYZ82316KGBobVXJL619wybD692WpZaPQSBg', 2, 'd9b98cb8-6752-4dea-a534-c74b2cbfe7a1', 'ai', 'I am Mlango, running on the small built-in model. It follows fixed rules and has no knowledge of the world, so I cannot answer that. Ask "What can you do?" to see what works here.', '2026-11-27 00:41:23.439+00', NULL, NULL, NULL, NULL, 'finished', NULL, NULL);
INSERT INTO public.messages OVERRIDING SYSTEM VALUE VALUES ('bf1e66d1-d56a-4fa3-8326-c3a2578e4c01', '2364bddd-c2b9-4bd6-9e30-f842e8ca14b9~human', 'did:key:z6MkkBPYdMyzcYZ82316KGBobVXJL619wybD692WpZaPQSBg', 3, 'fb330c22-bb33-494d-bf5b-e91039fa7c0e', 'human', 'use the tool remember with {"content":"likes ginger tea"}', '2026-11-27 00:41:23.475+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.messages OVERRIDING SYSTEM VALUE VALUES ('bf1e66d1-d56a-4fa3-8326-c3a2578e4c01', '2364bddd-c2b9-4bd6-9e30-f842e8ca14b9', 'did:key:z6MkkBPYdMyzcYZ82316KGBobVXJL619wybD692WpZaPQSBg', 4, 'fb330c22-bb33-494d-bf5b-e91039fa7c0e', 'ai', 'I will remember: "likes ginger tea"', '2026-11-27 00:41:23.604+00', '[{"at": 0, "id": "a189bee0-0932-4af0-9aba-3945bd4e3511", "args": {"content": "likes ginger tea"}, "name": "remember", "output": "{\"id\":\"84cacc36-f2f3-4339-8152-8ef4040f233b\",\"remembered\":\"likes ginger tea\"}", "status": "done"}]', 'The message asks for what remember does, so I call it.', NULL, NULL, 'finished', NULL, NULL);
INSERT INTO public.runs OVERRIDING SYSTEM VALUE VALUES ('d9b98cb8-6752-4dea-a534-c74b2cbfe7a1', 'did:key:z6MkkBPYdMyzcYZ82316KGBobVXJL619wybD692WpZaPQSBg', 'bf1e66d1-d56a-4fa3-8326-c3a2578e4c01', 'a5f8ce85-0aac-47bb-a781-fdc311cdc7fb', 1, 'finished', 'f69a2763-5b45-431f-8438-353b86aa667f', '2026-11-27 00:41:28.966+00', NULL, '', '2026-11-27 00:41:22.796+00', '2026-11-27 00:41:23.442+00', '.2.3.8.8.3.4.6.9.7.3.8.6.6.4.4.3.a.3.4.7.3.2.7.7.6.4.6.4.4.5.3.4.5.6.5.');
INSERT INTO public.runs OVERRIDING SYSTEM VALUE VALUES ('fb330c22-bb33-494d-bf5b-e91039fa7c0e', 'did:key:z6MkkBPYdMyzcYZ82316KGBobVXJL619wybD692WpZaPQSBg', 'bf1e66d1-d56a-4fa3-8326-c3a2578e4c01', '2364bddd-c2b9-4bd6-9e30-f842e8ca14b9', 2, 'finished', 'f69a2763-5b45-431f-8438-353b86aa667f', '2026-11-27 00:41:29.476+00', NULL, '', '2026-11-27 00:41:23.476+00', '2026-11-27 00:41:23.607+00', '.....2.5.a.7.7.4.');
INSERT INTO public.sessions VALUES ('bf1e66d1-d56a-4fa3-8326-c3a2578e4c01', 'did:key:z6MkkBPYdMyzcYZ82316KGBobVXJL619wybD692WpZaPQSBg', 'The tea is under the stairs.', '2026-11-27 00:41:22.765+00', '2026-11-27 00:41:23.604+00', NULL, NULL, NULL);
INSERT INTO public.tool_calls OVERRIDING SYSTEM VALUE VALUES ('fb330c22-bb33-494d-bf5b-e91039fa7c0e', 'a189bee0-0932-4af0-9aba-3945bd4e3511', 1, 'memory', 'remember', NULL, '{"content": "likes ginger tea"}', '{"output": "{\"id\":\"84cacc36-f2f3-4339-8152-8ef4040f233b\",\"remembered\":\"likes ginger tea\"}", "status": "done"}', '2026-11-27 00:41:23.503+00', '2026-11-27 00:41:23.517+00', NULL, NULL, NULL, NULL);
SELECT pg_catalog.setval('drizzle.__drizzle_migrations_id_seq', 25, true);
SELECT pg_catalog.setval('public.memories_position_seq', 1, true);
SELECT pg_catalog.setval('public.messages_position_seq', 4, true);
SELECT pg_catalog.setval('public.plugin_state_versions', 1, false);
SELECT pg_catalog.setval('public.runs_position_seq', 2, true);
SELECT pg_catalog.setval('public.tool_calls_position_seq', 1, true);
ALTER TABLE ONLY drizzle.__drizzle_migrations
    ADD CONSTRAINT __drizzle_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY drizzle.__owned_migrations
    ADD CONSTRAINT __owned_migrations_pkey PRIMARY KEY (owner, name);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (key_id);
ALTER TABLE ONLY public.approval_rules
    ADD CONSTRAINT approval_rules_pkey PRIMARY KEY (rule_id);
ALTER TABLE ONLY public.approval_rules
    ADD CONSTRAINT approval_rules_tool_key UNIQUE (owner_did, plugin, tool);
ALTER TABLE ONLY public.attachment_uploads
    ADD CONSTRAINT attachment_uploads_pkey PRIMARY KEY (attachment_id);
ALTER TABLE ONLY public.branch_summaries
    ADD CONSTRAINT branch_summaries_session_id_branch_pk PRIMARY KEY (session_id, branch);
ALTER TABLE ONLY public.conversation_summaries
    ADD CONSTRAINT conversation_summaries_pkey PRIMARY KEY (session_id);
ALTER TABLE ONLY public.delegations
    ADD CONSTRAINT delegations_pkey PRIMARY KEY (owner_did);
ALTER TABLE ONLY public.feedback
    ADD CONSTRAINT feedback_pk PRIMARY KEY (owner_did, session_id, message_id);
ALTER TABLE ONLY public.memories
    ADD CONSTRAINT memories_owner_did_memory_id_pk PRIMARY KEY (owner_did, memory_id);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_session_id_message_id_pk PRIMARY KEY (session_id, message_id);
ALTER TABLE ONLY public.paused_turns
    ADD CONSTRAINT paused_turns_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY public.plugin_state
    ADD CONSTRAINT plugin_state_plugin_owner_did_key_pk PRIMARY KEY (plugin, owner_did, key);
ALTER TABLE ONLY public.preferences
    ADD CONSTRAINT preferences_pkey PRIMARY KEY (owner_did);
ALTER TABLE ONLY public.room_preferences
    ADD CONSTRAINT room_preferences_owner_did_room_id_pk PRIMARY KEY (owner_did, room_id);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_session_request_key UNIQUE (session_id, request_id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_owner_session_key UNIQUE (owner_did, session_id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (session_id);
ALTER TABLE ONLY public.tool_calls
    ADD CONSTRAINT tool_calls_run_id_call_id_pk PRIMARY KEY (run_id, call_id);
ALTER TABLE ONLY public.ucan_replays
    ADD CONSTRAINT ucan_replays_pkey PRIMARY KEY (cid);
ALTER TABLE ONLY public.ucan_revocations
    ADD CONSTRAINT ucan_revocations_cid_issuer_pk PRIMARY KEY (cid, issuer);
ALTER TABLE ONLY public.untold_usage
    ADD CONSTRAINT untold_usage_run_id_part_pk PRIMARY KEY (run_id, part);
CREATE INDEX api_keys_owner_idx ON public.api_keys USING btree (owner_did);
CREATE INDEX attachment_uploads_expiry_idx ON public.attachment_uploads USING btree (expires_at);
CREATE INDEX attachment_uploads_owner_idx ON public.attachment_uploads USING btree (owner_did, session_id);
CREATE INDEX feedback_updated_idx ON public.feedback USING btree (updated_at);
CREATE INDEX memories_owner_position_idx ON public.memories USING btree (owner_did, "position");
CREATE INDEX memories_words_idx ON public.memories USING gin (words);
CREATE INDEX messages_created_idx ON public.messages USING brin (created_at);
CREATE INDEX messages_forks_idx ON public.messages USING btree (session_id) WHERE ((branch ->> 'id'::text) = turn_id);
CREATE INDEX messages_owner_position_idx ON public.messages USING btree (owner_did, "position");
CREATE INDEX messages_session_position_idx ON public.messages USING btree (session_id, "position");
CREATE INDEX messages_words_idx ON public.messages USING gin (to_tsvector('simple'::regconfig, "left"(content, 50000)));
CREATE INDEX plugin_state_expires_idx ON public.plugin_state USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX plugin_state_owner_idx ON public.plugin_state USING btree (owner_did, plugin, key);
CREATE INDEX runs_ended_idx ON public.runs USING btree (ended_at);
CREATE INDEX runs_live_lease_idx ON public.runs USING btree (lease_until) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX runs_one_running_idx ON public.runs USING btree (session_id) WHERE (status = ANY (ARRAY['running'::text, 'recovering'::text]));
CREATE INDEX runs_owner_position_idx ON public.runs USING btree (owner_did, "position");
CREATE INDEX runs_session_position_idx ON public.runs USING btree (session_id, "position");
CREATE INDEX runs_waiting_idx ON public.runs USING btree (ended_at) WHERE (status = 'waiting'::text);
CREATE INDEX sessions_owner_activity_idx ON public.sessions USING btree (owner_did, last_updated_at, session_id);
CREATE INDEX tool_calls_waiting_idx ON public.tool_calls USING btree (expires_at) WHERE (approval = 'waiting'::text);
CREATE INDEX ucan_replays_expires_at ON public.ucan_replays USING btree (expires_at);
CREATE INDEX ucan_revocations_expires_at ON public.ucan_revocations USING btree (expires_at);
CREATE INDEX ucan_revocations_issuer ON public.ucan_revocations USING btree (issuer);
CREATE INDEX untold_usage_due_idx ON public.untold_usage USING btree (next_attempt_at);
CREATE INDEX untold_usage_owner_idx ON public.untold_usage USING btree (owner_did, run_id);
ALTER TABLE ONLY public.attachment_uploads
    ADD CONSTRAINT attachment_uploads_session_fk FOREIGN KEY (owner_did, session_id) REFERENCES public.sessions(owner_did, session_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.branch_summaries
    ADD CONSTRAINT branch_summaries_session_fk FOREIGN KEY (owner_did, session_id) REFERENCES public.sessions(owner_did, session_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.conversation_summaries
    ADD CONSTRAINT conversation_summaries_session_fk FOREIGN KEY (owner_did, session_id) REFERENCES public.sessions(owner_did, session_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.feedback
    ADD CONSTRAINT feedback_session_fk FOREIGN KEY (owner_did, session_id) REFERENCES public.sessions(owner_did, session_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_session_fk FOREIGN KEY (owner_did, session_id) REFERENCES public.sessions(owner_did, session_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.paused_turns
    ADD CONSTRAINT paused_turns_run_id_runs_run_id_fk FOREIGN KEY (run_id) REFERENCES public.runs(run_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_session_fk FOREIGN KEY (owner_did, session_id) REFERENCES public.sessions(owner_did, session_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tool_calls
    ADD CONSTRAINT tool_calls_run_id_runs_run_id_fk FOREIGN KEY (run_id) REFERENCES public.runs(run_id) ON DELETE CASCADE;
