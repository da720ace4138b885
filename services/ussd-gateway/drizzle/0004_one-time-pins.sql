ALTER TABLE "customers" ADD COLUMN "code_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "code_grant" text;--> statement-breakpoint
-- As before, and says whether a code stands in the place of the PIN.
DROP FUNCTION take_pin_attempt(text, text, text, text, integer, double precision);
--> statement-breakpoint
-- Takes an attempt from account and phone, unless this one was taken before or one of them is locked. Every statement sees
-- what was committed before it began, and both counts are locked first, always the account's before the phone's.
CREATE FUNCTION take_pin_attempt(
	of_key text, of_customer text, of_phone text, decoy text, attempts integer, lock_ms double precision
) RETURNS TABLE (
	kind text, was_right boolean, attempts_left integer, locked_ms double precision,
	id text, full_name text, email text, phone text, sealed_pin text, code text
) LANGUAGE plpgsql AS $$
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
--> statement-breakpoint
-- As before; an attempt that is right by a code may choose a new PIN.
-- Says how an attempt went: 'right', 'wrong', or 'void' for one that nobody could judge. What is settled stays so.
CREATE OR REPLACE FUNCTION settle_pin_attempt(of_key text, verdict text, attempts integer) RETURNS boolean LANGUAGE plpgsql AS $$
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
