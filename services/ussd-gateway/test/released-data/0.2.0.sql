-- customer CFRFPJXJR
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
CREATE TABLE public.customers (
    id text NOT NULL,
    creation_key text NOT NULL,
    full_name text NOT NULL,
    email text,
    phone text NOT NULL,
    sealed_pin text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    code_until timestamp(3) with time zone,
    code_grant text
);
CREATE FUNCTION public.count_of_account(customer public.customers, of_phone text, decoy text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
	SELECT CASE
		WHEN customer.id IS NULL THEN decoy
		WHEN customer.phone = of_phone THEN 'owner:' || customer.id
		ELSE 'customer:' || customer.id
	END;
$$;
CREATE FUNCTION public.create_customer(new_id text, of_key text, of_name text, of_email text, of_phone text, of_pin text, per_day integer) RETURNS TABLE(kind text, customer_id text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
	INSERT INTO phones (number) VALUES (of_phone) ON CONFLICT (number) DO UPDATE SET number = excluded.number;
	kind := 'created';
	SELECT id INTO customer_id FROM customers WHERE creation_key = of_key;
	IF customer_id IS NULL THEN
		IF per_day <= (
			SELECT count(*) FROM customers
			WHERE phone = of_phone AND created_at > clock_timestamp() - interval '24 hours'
		) THEN
			kind := 'limited';
		ELSE
			INSERT INTO customers (id, creation_key, full_name, email, phone, sealed_pin, created_at)
			VALUES (new_id, of_key, of_name, of_email, of_phone, of_pin, clock_timestamp())
			ON CONFLICT (id) DO NOTHING RETURNING id INTO customer_id;
			IF customer_id IS NULL THEN
				kind := 'taken';
			END IF;
		END IF;
	END IF;
	RETURN NEXT;
END;
$$;
CREATE TABLE public.lockouts (
    subject text NOT NULL,
    wrong integer DEFAULT 0 NOT NULL,
    locks integer DEFAULT 0 NOT NULL,
    locked_until timestamp(3) with time zone,
    last_wrong_at timestamp(3) with time zone
);
CREATE FUNCTION public.give_back_attempts(counted public.lockouts, given integer, attempts integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
	counted.wrong := greatest(0, counted.wrong - given);
	IF counted.wrong < attempts AND counted.locked_until IS NOT NULL THEN
		counted.locked_until := NULL;
		counted.locks := greatest(0, counted.locks - 1);
	END IF;
	IF counted.wrong = 0 AND counted.locks = 0 THEN
		DELETE FROM lockouts WHERE subject = counted.subject;
	ELSE
		UPDATE lockouts SET wrong = counted.wrong, locks = counted.locks, locked_until = counted.locked_until
		WHERE subject = counted.subject;
	END IF;
END;
$$;
CREATE FUNCTION public.lock_wrong_count(of_subject text) RETURNS public.lockouts
    LANGUAGE sql
    AS $$
	INSERT INTO lockouts (subject) VALUES (of_subject)
	ON CONFLICT (subject) DO UPDATE SET subject = excluded.subject
	RETURNING *;
$$;
CREATE FUNCTION public.settle_phone_attempt(of_key text, right_ids text[], attempts integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
	known pin_attempts%ROWTYPE;
	of_caller lockouts%ROWTYPE;
	each text;
BEGIN
	SELECT * INTO known FROM pin_attempts WHERE key = of_key AND outcome = 'open';
	IF NOT FOUND THEN
		RETURN false;
	END IF;
	IF cardinality(right_ids) = 0 THEN
		UPDATE pin_attempts SET outcome = 'wrong' WHERE key = of_key AND outcome = 'open';
		RETURN FOUND;
	END IF;
	FOR each IN SELECT id FROM unnest(right_ids) AS id ORDER BY id COLLATE "C" LOOP
		PERFORM lock_wrong_count('owner:' || each);
	END LOOP;
	SELECT * INTO of_caller FROM lock_wrong_count('phone:' || known.phone);
	UPDATE pin_attempts SET outcome = 'right', counts = false WHERE key = of_key AND outcome = 'open';
	IF NOT FOUND THEN
		RETURN false;
	END IF;
	DELETE FROM lockouts WHERE subject IN (SELECT 'owner:' || unnest(right_ids));
	PERFORM give_back_attempts(of_caller, 1, attempts);
	RETURN true;
END;
$$;
CREATE FUNCTION public.settle_pin_attempt(of_key text, verdict text, attempts integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
	known pin_attempts%ROWTYPE;
	customer customers%ROWTYPE;
	of_account lockouts%ROWTYPE;
	of_caller lockouts%ROWTYPE;
	forgiven integer;
BEGIN
	IF verdict = 'wrong' THEN
		UPDATE pin_attempts SET outcome = 'wrong' WHERE key = of_key AND outcome = 'open';
		RETURN FOUND;
	END IF;
	SELECT * INTO known FROM pin_attempts WHERE key = of_key AND outcome = 'open';
	IF NOT FOUND THEN
		RETURN false;
	END IF;
	SELECT * INTO customer FROM customers WHERE id = known.customer_id;
	SELECT * INTO of_account FROM lock_wrong_count(count_of_account(customer, known.phone, known.customer_id));
	SELECT * INTO of_caller FROM lock_wrong_count('phone:' || known.phone);
	IF verdict = 'void' THEN
		DELETE FROM pin_attempts WHERE key = of_key AND outcome = 'open';
		IF NOT FOUND THEN
			RETURN false;
		END IF;
		PERFORM give_back_attempts(of_account, 1, attempts);
		PERFORM give_back_attempts(of_caller, 1, attempts);
		RETURN true;
	END IF;
	UPDATE pin_attempts SET outcome = 'right' WHERE key = of_key AND outcome = 'open';
	IF NOT FOUND THEN
		RETURN false;
	END IF;
	UPDATE pin_attempts SET counts = false WHERE phone = known.phone AND customer_id = known.customer_id AND counts;
	GET DIAGNOSTICS forgiven = ROW_COUNT;
	DELETE FROM lockouts WHERE subject = of_account.subject;
	UPDATE customers SET code_grant = of_key WHERE id = known.customer_id AND code_until IS NOT NULL;
	PERFORM give_back_attempts(of_caller, forgiven, attempts);
	RETURN true;
END;
$$;
CREATE FUNCTION public.spend_attempt(counted public.lockouts, moment timestamp with time zone, attempts integer, lock_ms double precision) RETURNS public.lockouts
    LANGUAGE plpgsql
    AS $$
BEGIN
	counted.wrong := counted.wrong + 1;
	counted.last_wrong_at := moment;
	IF counted.wrong >= attempts THEN
		counted.locked_until := moment + interval '1 millisecond'
			* least(lock_ms * 2 ^ least(counted.locks, 30), greatest(86400000, lock_ms));
		counted.locks := counted.locks + 1;
	END IF;
	UPDATE lockouts
	SET wrong = counted.wrong, locks = counted.locks, locked_until = counted.locked_until, last_wrong_at = moment
	WHERE subject = counted.subject;
	RETURN counted;
END;
$$;
CREATE FUNCTION public.take_phone_attempt(of_key text, of_phone text, attempts integer, lock_ms double precision, most integer) RETURNS TABLE(kind text, was_right boolean, attempts_left integer, locked_ms double precision, ids text[], pins text[])
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
	customer customers%ROWTYPE;
	counted lockouts%ROWTYPE;
	open_counts lockouts[] := '{}';
	of_caller lockouts%ROWTYPE;
	known pin_attempts%ROWTYPE;
	moment timestamptz;
	soonest timestamptz;
	held text[] := '{}';
BEGIN
	SELECT * INTO known FROM pin_attempts WHERE key = of_key;
	ids := '{}';
	FOR customer IN
		SELECT * FROM (
			SELECT * FROM customers WHERE phone = of_phone AND code_until IS NULL ORDER BY created_at DESC LIMIT most
		) newest ORDER BY id COLLATE "C"
	LOOP
		SELECT * INTO counted FROM lock_wrong_count('owner:' || customer.id);
		held := held || counted.subject;
		IF known.key IS NOT NULL OR counted.locked_until IS NULL OR counted.locked_until <= clock_timestamp() THEN
			ids := ids || customer.id;
			open_counts := open_counts || counted;
		ELSE
			soonest := least(soonest, counted.locked_until);
		END IF;
	END LOOP;
	SELECT * INTO of_caller FROM lock_wrong_count('phone:' || of_phone);
	-- Counts were locked in the order of their names, so that no two calls wait for each other; accounts are told newest first.
	SELECT coalesce(array_agg(id ORDER BY created_at DESC), '{}'), coalesce(array_agg(sealed_pin ORDER BY created_at DESC), '{}')
	INTO ids, pins FROM customers WHERE id = ANY (ids);
	-- Again, now that nobody else can take the same attempt.
	SELECT * INTO known FROM pin_attempts WHERE key = of_key;
	moment := date_trunc('milliseconds', clock_timestamp());
	locked_ms := 1000 * extract(epoch FROM greatest(of_caller.locked_until - moment, interval '0'));
	IF held <> '{}' AND ids = '{}' THEN
		locked_ms := greatest(locked_ms, 1000 * extract(epoch FROM soonest - moment));
	END IF;
	IF known.key IS NOT NULL THEN
		kind := CASE known.outcome WHEN 'open' THEN 'taken' ELSE 'settled' END;
		was_right := known.outcome = 'right';
		attempts_left := known.attempts_left;
	ELSIF locked_ms > 0 THEN
		kind := 'locked';
		ids := '{}';
		pins := '{}';
	ELSE
		kind := 'taken';
		IF of_caller.last_wrong_at <= moment - interval '24 hours' THEN
			of_caller.wrong := 0;
			of_caller.locks := 0;
		ELSIF of_caller.locked_until IS NOT NULL THEN
			of_caller.wrong := 0;
		END IF;
		of_caller.locked_until := NULL;
		IF of_caller.wrong = 0 THEN
			UPDATE pin_attempts SET counts = false WHERE phone = of_phone AND counts;
		END IF;
		FOREACH counted IN ARRAY open_counts LOOP
			IF counted.locked_until IS NOT NULL THEN
				counted.wrong := 0;
				counted.locked_until := NULL;
			END IF;
			PERFORM spend_attempt(counted, moment, attempts, lock_ms);
		END LOOP;
		of_caller := spend_attempt(of_caller, moment, attempts, lock_ms);
		attempts_left := attempts - of_caller.wrong;
		locked_ms := 1000 * extract(epoch FROM greatest(of_caller.locked_until - moment, interval '0'));
		INSERT INTO pin_attempts (key, customer_id, phone, outcome, attempts_left, counts, at)
		VALUES (of_key, 'phone', of_phone, 'open', attempts_left, true, moment);
	END IF;
	DELETE FROM lockouts WHERE last_wrong_at IS NULL AND subject = ANY (held || of_caller.subject);
	RETURN NEXT;
END;
$$;
CREATE FUNCTION public.take_pin_attempt(of_key text, of_customer text, of_phone text, decoy text, attempts integer, lock_ms double precision) RETURNS TABLE(kind text, was_right boolean, attempts_left integer, locked_ms double precision, id text, full_name text, email text, phone text, sealed_pin text, code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
	customer customers%ROWTYPE;
	of_account lockouts%ROWTYPE;
	of_caller lockouts%ROWTYPE;
	known pin_attempts%ROWTYPE;
	moment timestamptz;
BEGIN
	SELECT * INTO customer FROM customers WHERE id = of_customer;
	SELECT * INTO of_account FROM lock_wrong_count(count_of_account(customer, of_phone, decoy));
	SELECT * INTO of_caller FROM lock_wrong_count('phone:' || of_phone);
	-- Read once they are locked: who waited for them sees the time at which it went on.
	moment := date_trunc('milliseconds', clock_timestamp());
	locked_ms := 1000 * extract(epoch FROM
		greatest(of_account.locked_until - moment, of_caller.locked_until - moment, interval '0'));
	SELECT * INTO known FROM pin_attempts WHERE key = of_key;
	IF known.key IS NOT NULL THEN
		kind := CASE known.outcome WHEN 'open' THEN 'taken' ELSE 'settled' END;
		was_right := known.outcome = 'right';
		attempts_left := known.attempts_left;
	ELSIF locked_ms > 0 THEN
		kind := 'locked';
		DELETE FROM lockouts WHERE subject IN (of_account.subject, of_caller.subject) AND last_wrong_at IS NULL;
	ELSE
		kind := 'taken';
		-- Locks that are over: attempts are free again, but the next lock lasts longer. A phone forgets that too.
		IF of_account.locked_until IS NOT NULL THEN
			of_account.wrong := 0;
			of_account.locked_until := NULL;
		END IF;
		IF of_caller.last_wrong_at <= moment - interval '24 hours' THEN
			of_caller.wrong := 0;
			of_caller.locks := 0;
			of_caller.locked_until := NULL;
		ELSIF of_caller.locked_until IS NOT NULL THEN
			of_caller.wrong := 0;
			of_caller.locked_until := NULL;
		END IF;
		IF of_caller.wrong = 0 THEN
			UPDATE pin_attempts SET counts = false WHERE phone = of_phone AND counts;
		END IF;
		of_account := spend_attempt(of_account, moment, attempts, lock_ms);
		of_caller := spend_attempt(of_caller, moment, attempts, lock_ms);
		attempts_left := attempts - greatest(of_account.wrong, of_caller.wrong);
		locked_ms := 1000 * extract(epoch FROM
			greatest(of_account.locked_until - moment, of_caller.locked_until - moment, interval '0'));
		INSERT INTO pin_attempts (key, customer_id, phone, outcome, attempts_left, counts, at)
		VALUES (of_key, coalesce(customer.id, decoy), of_phone, 'open', attempts_left, true, moment);
	END IF;
	id := customer.id;
	full_name := customer.full_name;
	email := customer.email;
	phone := customer.phone;
	sealed_pin := customer.sealed_pin;
	code := CASE WHEN customer.code_until > moment THEN 'live' WHEN customer.code_until IS NOT NULL THEN 'over' END;
	RETURN NEXT;
END;
$$;
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
CREATE TABLE public.effect_intents (
    key text NOT NULL,
    aggregator text NOT NULL,
    phone text NOT NULL,
    service_code text NOT NULL,
    effect text NOT NULL,
    place jsonb NOT NULL,
    sealed_input text,
    input_digest text NOT NULL,
    outcome jsonb,
    tries integer DEFAULT 1 NOT NULL,
    started_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    leased_until timestamp(3) with time zone,
    due_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    ended_at timestamp(3) with time zone,
    told_at timestamp(3) with time zone,
    contradictions jsonb,
    follows text,
    handed_at timestamp(3) with time zone,
    reference text
);
CREATE TABLE public.effects_done (
    key text NOT NULL,
    outcome jsonb,
    at timestamp(3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.link_codes (
    mac text NOT NULL,
    phone text,
    did text,
    until timestamp(3) with time zone NOT NULL
);
CREATE TABLE public.phone_identities (
    phone text NOT NULL,
    did text NOT NULL,
    sealed_seed text NOT NULL,
    sealed_grant text NOT NULL,
    session_id text,
    asked_on date,
    asked integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    linked_did text,
    sealed_link text
);
CREATE TABLE public.phones (
    number text NOT NULL,
    language text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.pin_attempts (
    key text NOT NULL,
    customer_id text NOT NULL,
    phone text NOT NULL,
    outcome text NOT NULL,
    attempts_left integer NOT NULL,
    counts boolean NOT NULL,
    at timestamp(3) with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY drizzle.__drizzle_migrations ALTER COLUMN id SET DEFAULT nextval('drizzle.__drizzle_migrations_id_seq'::regclass);
INSERT INTO drizzle.__drizzle_migrations VALUES (1, 'dc7505d94b7cc5bf310ce62a82f5765a56f906ccc10328d301e2d88227fcc198', 1795177642474);
INSERT INTO drizzle.__drizzle_migrations VALUES (2, '75a3672bc3872f95fa89de00f63d61947bfb5f34f57e6e8cb3ba3cc264fcf229', 1795187322884);
INSERT INTO drizzle.__drizzle_migrations VALUES (3, '1b0df0245b6aeeedf378f391faab2e8bf8c6d8c7c1d2f455bbc3c922ace19ccc', 1795370296206);
INSERT INTO drizzle.__drizzle_migrations VALUES (4, 'da17167ec447febda36446dc1d6759060bcd26a4d5828827df01fd3c39e7d27b', 1795370719427);
INSERT INTO drizzle.__drizzle_migrations VALUES (5, '82251e8a86ea8b8d3f1036c3cd4b8221dff2f5cc8c86e50077245feef87271a8', 1795372144658);
INSERT INTO drizzle.__drizzle_migrations VALUES (6, '8c21e3ccea88fb684091379bc8bbdcfe9322010b1e570d1eb951c75b0ffe9422', 1795372765628);
INSERT INTO drizzle.__drizzle_migrations VALUES (7, '0de901be565aa87313a82e9bc8d3bf6b9bd2734c1d30e3e32b11014546842b56', 1795374216640);
INSERT INTO drizzle.__drizzle_migrations VALUES (8, '581086de0e281f80f75a456ff7775ad429f8da28501374ba78c301412064f623', 1795404533042);
INSERT INTO drizzle.__drizzle_migrations VALUES (9, '8b452307a29a49f2b9132de23cc28287d17e8cb7c5d115964b8b0344cf321944', 1795416029891);
INSERT INTO drizzle.__drizzle_migrations VALUES (10, 'e5d28bea14e9ae945dc363f1d687b019baa9d31f0f2a587d2b20c4c8a88c3c0f', 1795417699601);
INSERT INTO drizzle.__drizzle_migrations VALUES (11, '9f7e4594ca8c14fef740382f701cf77058c6751b2543886d8179d3302232bbb0', 1795419591643);
INSERT INTO public.customers VALUES ('CFRFPJXJR', 'vihDsSu7WksHYY-HIwklaE', 'Amina', NULL, '+260977000019', 's1.d40d0cd28ddc.s9_v8OxWmGImcbqsgL-S31WqRZS2uHhgUZC2s1BmDnE.SmXzvPivk-1jhiMv.udjPDnY.0OybYHFUtA0iIZ0c9tnA8Q', '2026-11-27 00:41:31.347+00', NULL, NULL);
INSERT INTO public.effect_intents VALUES ('vihDsSu7WksHYY-HIwklaE', 'canonical', '+260977000019', '*384#', 'createAccount', '{"by": "entry", "flow": {"id": "default", "version": 2, "revision": "31a8fa563f8b5434"}, "nonce": "37lBQq6Im1EI-onvAKEGOA", "position": {"page": 0, "state": "confirmPin", "choices": {}, "entries": {"name": "Amina"}, "language": "en"}}', NULL, 'LjQPXeMbUDgJxsCDlfACwE540_Nj2CZpe2avosZWpoo', '{"facts": {"customerId": "CFRFPJXJR"}, "result": "created"}', 1, '2026-11-27 00:41:31.34+00', NULL, '2026-11-27 00:41:31.34+00', '2026-11-27 00:41:31.381+00', '2026-11-27 00:41:31.393+00', NULL, NULL, NULL, NULL);
INSERT INTO public.phones VALUES ('+260977000019', NULL, '2026-11-27 00:41:31.345+00');
INSERT INTO public.pin_attempts VALUES ('WeKlhJD9EhOzUBnoAlCq75', 'CFRFPJXJR', '+260977000020', 'right', 2, false, '2026-11-27 00:41:31.43+00');
SELECT pg_catalog.setval('drizzle.__drizzle_migrations_id_seq', 11, true);
ALTER TABLE ONLY drizzle.__drizzle_migrations
    ADD CONSTRAINT __drizzle_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_creation_key UNIQUE (creation_key);
ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.effect_intents
    ADD CONSTRAINT effect_intents_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.effects_done
    ADD CONSTRAINT effects_done_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.link_codes
    ADD CONSTRAINT link_codes_pkey PRIMARY KEY (mac);
ALTER TABLE ONLY public.lockouts
    ADD CONSTRAINT lockouts_pkey PRIMARY KEY (subject);
ALTER TABLE ONLY public.phone_identities
    ADD CONSTRAINT phone_identities_did UNIQUE (did);
ALTER TABLE ONLY public.phone_identities
    ADD CONSTRAINT phone_identities_pkey PRIMARY KEY (phone);
ALTER TABLE ONLY public.phones
    ADD CONSTRAINT phones_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.pin_attempts
    ADD CONSTRAINT pin_attempts_pkey PRIMARY KEY (key);
CREATE INDEX customers_phone_idx ON public.customers USING btree (phone, created_at);
CREATE INDEX effect_intents_due_idx ON public.effect_intents USING btree (due_at) WHERE (ended_at IS NULL);
CREATE INDEX effect_intents_ended_idx ON public.effect_intents USING btree (ended_at);
CREATE INDEX effect_intents_follow_idx ON public.effect_intents USING btree (phone, started_at) WHERE (follows IS NOT NULL);
CREATE UNIQUE INDEX effect_intents_one_at_a_time ON public.effect_intents USING btree (phone, effect, aggregator, service_code) WHERE ((ended_at IS NULL) AND (follows IS NULL));
CREATE INDEX effect_intents_reference_idx ON public.effect_intents USING btree (reference) WHERE (reference IS NOT NULL);
CREATE INDEX effect_intents_untold_idx ON public.effect_intents USING btree (phone) WHERE (told_at IS NULL);
CREATE INDEX effects_done_at_idx ON public.effects_done USING btree (at);
CREATE INDEX link_codes_phone_idx ON public.link_codes USING btree (phone);
CREATE INDEX link_codes_until_idx ON public.link_codes USING btree (until);
CREATE INDEX lockouts_last_wrong_at_idx ON public.lockouts USING btree (last_wrong_at);
CREATE INDEX pin_attempts_at_idx ON public.pin_attempts USING btree (at);
CREATE INDEX pin_attempts_customer_idx ON public.pin_attempts USING btree (customer_id);
CREATE INDEX pin_attempts_phone_idx ON public.pin_attempts USING btree (phone, at);
ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_phone_phones_number_fk FOREIGN KEY (phone) REFERENCES public.phones(number);
