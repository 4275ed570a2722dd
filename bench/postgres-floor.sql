-- The floor on PostgreSQL (16 and newer): the whole job as hand-written SQL, after a COPY of the file as it is into `raw`.
-- One pass casts and flags; every step below it looks at the narrow result or at flagged rows only.
-- @step target
CREATE TABLE IF NOT EXISTS orders (order_id bigint NOT NULL, user_id bigint, created_at timestamp NOT NULL, event_date date, amount numeric(12,2), active boolean, country text, postal_code text, quantity integer, status text, currency text, note text, channel text, dt date NOT NULL);
-- @step raw
CREATE TEMP TABLE raw (order_id text, user_id text, created_at text, event_date text, amount text, active text, country text, postal_code text, quantity text, status text, currency text, note text, legacy_flag text, dt text);
-- @copy raw
-- @step stage
-- Cheap tests of characters come before pg_input_is_valid, which alone takes hexadecimal, '_', and every way of writing a date; btrim as blanks around numbers are fine.
-- OFFSET 0 keeps the planner from computing a value once for every use. `bad`: a bit per column whose text could not become a value.
CREATE TEMP TABLE stg AS
SELECT rid, v_order_id AS order_id, v_user_id AS user_id, v_created_at AS created_at, v_event_date AS event_date, v_amount AS amount,
       coalesce(v_active, false) AS active, coalesce(country, 'ZZ') AS country, postal_code, v_quantity AS quantity, status, currency, note,
       'web'::text AS channel, v_dt AS dt,
       (CASE WHEN v_order_id IS NULL AND order_id IS NOT NULL THEN 1 ELSE 0 END + CASE WHEN v_user_id IS NULL AND user_id IS NOT NULL THEN 2 ELSE 0 END
      + CASE WHEN v_created_at IS NULL AND created_at IS NOT NULL THEN 4 ELSE 0 END + CASE WHEN v_event_date IS NULL AND event_date IS NOT NULL THEN 8 ELSE 0 END
      + CASE WHEN v_amount IS NULL AND amount IS NOT NULL THEN 16 ELSE 0 END + CASE WHEN v_active IS NULL AND active IS NOT NULL THEN 32 ELSE 0 END
      + CASE WHEN v_quantity IS NULL AND quantity IS NOT NULL THEN 64 ELSE 0 END + CASE WHEN v_dt IS NULL AND dt IS NOT NULL THEN 128 ELSE 0 END)::smallint AS bad
FROM (SELECT ctid AS rid, order_id, user_id, created_at, event_date, amount, active, country, postal_code, quantity, status, currency, note, dt,
    CASE WHEN order_id !~ '[^0-9+ -]' AND pg_input_is_valid(order_id, 'bigint') THEN order_id::bigint END AS v_order_id,
    CASE WHEN user_id !~ '[^0-9+ -]' AND pg_input_is_valid(user_id, 'bigint') THEN user_id::bigint END AS v_user_id,
    CASE WHEN quantity !~ '[^0-9+ -]' AND pg_input_is_valid(quantity, 'integer') THEN quantity::integer END AS v_quantity,
  -- the format by its shape, so that each value is parsed once; a cast to timestamp would drop '+02:00' without a word
    CASE WHEN created_at ~ '[^0-9T:.Z/ +-]' THEN NULL
         WHEN substr(created_at, 3, 1) = '/' THEN
           CASE WHEN length(created_at) = 19 AND pg_input_is_valid(substr(created_at, 7, 4) || '-' || substr(created_at, 4, 2) || '-' || substr(created_at, 1, 2) || substr(created_at, 11), 'timestamp')
                THEN (substr(created_at, 7, 4) || '-' || substr(created_at, 4, 2) || '-' || substr(created_at, 1, 2) || substr(created_at, 11))::timestamp END
         WHEN substr(created_at, 5, 1) <> '-' THEN NULL
         WHEN length(created_at) = 19 THEN CASE WHEN pg_input_is_valid(created_at, 'timestamp') THEN created_at::timestamp END
         WHEN pg_input_is_valid(created_at, 'timestamptz') THEN created_at::timestamptz AT TIME ZONE 'UTC' END AS v_created_at,
    CASE WHEN substr(event_date, 5, 1) = '-' AND length(event_date) = 10 THEN CASE WHEN event_date !~ '[^0-9-]' AND pg_input_is_valid(event_date, 'date') THEN event_date::date END
         WHEN substr(event_date, 3, 1) = '/' AND length(event_date) = 10 AND event_date !~ '[^0-9/]' AND pg_input_is_valid(substr(event_date, 7, 4) || '-' || substr(event_date, 4, 2) || '-' || substr(event_date, 1, 2), 'date')
           THEN (substr(event_date, 7, 4) || '-' || substr(event_date, 4, 2) || '-' || substr(event_date, 1, 2))::date END AS v_event_date,
  -- two digits behind the point and no comma straight to the cast, the rest by an expression: the cast alone rounds '12.345'
    CASE WHEN left(right(amount, 3), 1) = '.' AND amount !~ '[^0-9.-]' THEN CASE WHEN pg_input_is_valid(amount, 'numeric(12,2)') THEN amount::numeric(12,2) END
         WHEN amount ~ '^[+-]?([0-9]+|[0-9]{1,3}(,[0-9]{3})+)([.][0-9]{1,2}0*)?$' AND pg_input_is_valid(replace(amount, ',', ''), 'numeric(12,2)') THEN replace(amount, ',', '')::numeric(12,2) END AS v_amount,
    CASE lower(active) WHEN 'true' THEN true WHEN '1' THEN true WHEN 'yes' THEN true WHEN 'y' THEN true
                       WHEN 'false' THEN false WHEN '0' THEN false WHEN 'no' THEN false WHEN 'n' THEN false END AS v_active,
    CASE WHEN length(dt) = 10 AND dt !~ '[^0-9-]' AND pg_input_is_valid(dt, 'date') THEN dt::date END AS v_dt
  FROM raw OFFSET 0) v;
-- @step counts
CREATE TEMP TABLE column_report AS
SELECT count(*) AS n,
  count(*) FILTER (WHERE bad & 1 <> 0) AS order_id, count(*) FILTER (WHERE bad & 2 <> 0) AS user_id, count(*) FILTER (WHERE bad & 4 <> 0) AS created_at,
  count(*) FILTER (WHERE bad & 8 <> 0) AS event_date, count(*) FILTER (WHERE bad & 16 <> 0) AS amount, count(*) FILTER (WHERE bad & 32 <> 0) AS active,
  count(*) FILTER (WHERE bad & 64 <> 0) AS quantity, count(*) FILTER (WHERE bad & 128 <> 0) AS dt FROM stg;
-- @step flagged
-- the raw rows of flagged ones, found again by where they lie
CREATE TEMP TABLE flagged AS SELECT s.rid, s.bad, s.order_id IS NULL OR s.created_at IS NULL OR s.dt IS NULL AS reject, to_json(r) AS raw
FROM stg s JOIN raw r ON r.ctid = s.rid WHERE s.bad <> 0 OR s.order_id IS NULL OR s.created_at IS NULL OR s.dt IS NULL;
-- @step examples
CREATE TABLE column_examples AS
          (SELECT 'order_id' AS col,   raw->>'order_id' AS value   FROM flagged WHERE bad & 1 <> 0 LIMIT 5)
UNION ALL (SELECT 'user_id',    raw->>'user_id'    FROM flagged WHERE bad & 2 <> 0 LIMIT 5)
UNION ALL (SELECT 'created_at', raw->>'created_at' FROM flagged WHERE bad & 4 <> 0 LIMIT 5)
UNION ALL (SELECT 'event_date', raw->>'event_date' FROM flagged WHERE bad & 8 <> 0 LIMIT 5)
UNION ALL (SELECT 'amount',     raw->>'amount'     FROM flagged WHERE bad & 16 <> 0 LIMIT 5)
UNION ALL (SELECT 'active',     raw->>'active'     FROM flagged WHERE bad & 32 <> 0 LIMIT 5)
UNION ALL (SELECT 'quantity',   raw->>'quantity'   FROM flagged WHERE bad & 64 <> 0 LIMIT 5)
UNION ALL (SELECT 'dt',         raw->>'dt'         FROM flagged WHERE bad & 128 <> 0 LIMIT 5);
-- @step duplicates
CREATE TEMP TABLE losers AS
SELECT rid FROM (
  SELECT s.rid, row_number() OVER (PARTITION BY s.order_id ORDER BY s.created_at DESC) AS place
  FROM stg s JOIN (SELECT order_id FROM stg WHERE order_id IS NOT NULL AND created_at IS NOT NULL AND dt IS NOT NULL GROUP BY order_id HAVING count(*) > 1) k ON k.order_id = s.order_id
  WHERE s.created_at IS NOT NULL AND s.dt IS NOT NULL) x
WHERE place > 1;
ANALYZE losers;
-- @step load
BEGIN;
CREATE TABLE quarantine AS SELECT raw, bad FROM flagged WHERE reject;
MERGE INTO orders t
USING (SELECT * FROM stg s WHERE order_id IS NOT NULL AND created_at IS NOT NULL AND dt IS NOT NULL AND NOT EXISTS (SELECT 1 FROM losers l WHERE l.rid = s.rid)) s
ON t.order_id = s.order_id
WHEN MATCHED THEN UPDATE SET user_id = s.user_id, created_at = s.created_at, event_date = s.event_date, amount = s.amount, active = s.active, country = s.country, postal_code = s.postal_code, quantity = s.quantity, status = s.status, currency = s.currency, note = s.note, channel = s.channel, dt = s.dt
WHEN NOT MATCHED THEN INSERT VALUES (s.order_id, s.user_id, s.created_at, s.event_date, s.amount, s.active, s.country, s.postal_code, s.quantity, s.status, s.currency, s.note, s.channel, s.dt);
COMMIT;
