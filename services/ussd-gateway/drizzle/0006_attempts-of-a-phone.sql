-- Takes one attempt at all accounts of a phone at once: from the count of each that is not locked, and from the phone. What is taken is
-- known by a row for the phone. An account with a code in the place of its PIN is passed over.
CREATE FUNCTION take_phone_attempt(of_key text, of_phone text, attempts integer, lock_ms double precision, most integer)
RETURNS TABLE (kind text, was_right boolean, attempts_left integer, locked_ms double precision, ids text[], pins text[])
LANGUAGE plpgsql AS $$
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
--> statement-breakpoint
-- Says whose PIN it was: of nobody's account, or of some.
CREATE FUNCTION settle_phone_attempt(of_key text, right_ids text[], attempts integer) RETURNS boolean LANGUAGE plpgsql AS $$
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
