CREATE INDEX "customers_phone_idx" ON "customers" USING btree ("phone","created_at");--> statement-breakpoint
CREATE INDEX "lockouts_last_wrong_at_idx" ON "lockouts" USING btree ("last_wrong_at");--> statement-breakpoint
CREATE INDEX "pin_attempts_at_idx" ON "pin_attempts" USING btree ("at");--> statement-breakpoint
-- Creates a customer once for a key, and no more than so many a day for a phone. Whoever creates one for the same phone waits
-- here until this one is done, and then sees it.
CREATE FUNCTION create_customer(
	new_id text, of_key text, of_name text, of_email text, of_phone text, of_pin text, per_day integer
) RETURNS TABLE (kind text, customer_id text) LANGUAGE plpgsql AS $$
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
