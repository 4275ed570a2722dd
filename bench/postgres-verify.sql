SELECT count(*) AS loaded, sum(amount)::text AS sum_amount, count(amount) AS n_amount, sum(order_id)::text AS sum_order_id,
  sum((extract(epoch FROM created_at) * 1000)::bigint)::text AS sum_created_ms, count(user_id) AS n_user_id, count(event_date) AS n_event_date,
  sum(event_date - DATE '1970-01-01')::text AS sum_event_date_days, count(*) FILTER (WHERE active) AS n_active_true,
  count(*) FILTER (WHERE country = 'ZZ') AS n_country_zz, count(*) FILTER (WHERE country = 'NA') AS n_country_na,
  count(*) FILTER (WHERE left(postal_code, 1) = '0') AS n_postal_leading_zero, count(*) FILTER (WHERE postal_code IS NULL) AS n_postal_null,
  count(*) FILTER (WHERE note IS NULL) AS n_note_null, sum(quantity)::text AS sum_quantity, count(quantity) AS n_quantity,
  count(*) FILTER (WHERE channel = 'web') AS n_channel_web FROM orders
