-- Claims of a model that a second reader should have read and did not are counted apart (`verification.unjudged`), and no
-- longer among those that were found in the diff. What was stored says only how many were judged: the rest were not, and are taken
-- from the verified ones first. Without a model there is no second reader to wait for.
CREATE FUNCTION with_unjudged(verification jsonb, is_by_model boolean) RETURNS jsonb LANGUAGE sql AS $$
  WITH stored AS (
    SELECT coalesce((verification ->> 'verified')::integer, 0) AS verified,
      coalesce((verification ->> 'repaired')::integer, 0) AS repaired,
      coalesce((verification ->> 'judged')::integer, 0) AS judged),
  counted AS (
    SELECT *, CASE WHEN is_by_model THEN greatest(0, verified + repaired - judged) ELSE 0 END AS unjudged FROM stored)
  SELECT verification || jsonb_build_object(
    'verified', verified - least(verified, unjudged),
    'repaired', repaired - greatest(0, unjudged - verified),
    'unjudged', unjudged)
  FROM counted
$$;

UPDATE article_contents SET
  body = jsonb_set(body::jsonb, '{verification}',
    with_unjudged(body::jsonb -> 'verification', coalesce(body #>> '{writer,kind}' = 'ai', false)))::json,
  revision = revision + 1
WHERE body -> 'verification' IS NOT NULL;

DROP FUNCTION with_unjudged;
