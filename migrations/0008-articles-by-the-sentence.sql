-- An article is told sentence by sentence, each with what it rests on. What was written before is kept as it was, an item
-- as one sentence; `quote` and `reading_minutes` are those of the body, for lists.
ALTER TABLE article_contents
  ADD COLUMN quote json,
  ADD COLUMN reading_minutes integer,
  ADD COLUMN offline_writer integer;

CREATE FUNCTION told_as_one(told jsonb, text_key text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT coalesce(jsonb_agg(one || jsonb_build_object('statements', jsonb_build_array(jsonb_build_object(
    'text', one -> text_key, 'basis', 'diff', 'evidence', one -> 'evidence'))) ORDER BY place), '[]')
  FROM jsonb_array_elements(told) WITH ORDINALITY AS ones (one, place)
$$;

-- The kinds of change in the order in which they are told: what comes first is what it is mainly about.
CREATE FUNCTION types_in_order(told jsonb) RETURNS text[] LANGUAGE sql AS $$
  SELECT coalesce(array_agg(type ORDER BY place), ARRAY['CHORE'])
  FROM (
    SELECT type, min(ones.place * 100 + types.place) AS place
    FROM jsonb_array_elements(told) WITH ORDINALITY AS ones (one, place)
    CROSS JOIN jsonb_array_elements_text(one -> 'changeTypes') WITH ORDINALITY AS types (type, place)
    GROUP BY type) AS kinds
$$;

CREATE FUNCTION minutes_to_read(text text) RETURNS integer LANGUAGE sql AS $$
  SELECT greatest(1, ceil(
    regexp_count(text, '[\u3040-\u30ff\u3400-\u9fff]') / 500.0 + regexp_count(text, '[^\s\u3040-\u30ff\u3400-\u9fff]+') / 220.0
  ))::integer
$$;

UPDATE article_contents SET
  change_types = types_in_order(body::jsonb -> 'mainChanges'),
  reading_minutes = minutes_to_read(concat_ws(' ', title, body ->> 'backgroundAndPurpose',
    (SELECT string_agg(one ->> 'description', ' ') FROM json_array_elements(body -> 'mainChanges') AS one),
    (SELECT string_agg(one ->> 'point', ' ') FROM json_array_elements(body -> 'notablePoints') AS one)));
UPDATE article_contents SET
  body = (body::jsonb || jsonb_build_object(
    'changeTypes', to_jsonb(change_types),
    'quote', NULL,
    'readingMinutes', reading_minutes,
    'background', CASE body ->> 'backgroundAndPurpose' WHEN '' THEN '[]' ELSE jsonb_build_array(jsonb_build_object(
      'text', body ->> 'backgroundAndPurpose', 'basis', 'words', 'evidence', '[]'::jsonb)) END,
    'mainChanges', told_as_one(body::jsonb -> 'mainChanges', 'description'),
    'notablePoints', told_as_one(body::jsonb -> 'notablePoints', 'point'),
    'coverage', body::jsonb -> 'coverage' || jsonb_build_object(
      'skipped', coalesce(jsonb_path_query_array(body::jsonb, '$.coverage.skipped[0 to 99]'), '[]'),
      'skippedTotal', coalesce(jsonb_array_length(body::jsonb #> '{coverage,skipped}'), 0)),
    'verification', body::jsonb -> 'verification' || '{"judged": 0}'))::json,
  offline_writer = CASE body::jsonb #>> '{writer,kind}' WHEN 'offline' THEN 0 END,
  revision = revision + 1;
DROP FUNCTION told_as_one;
DROP FUNCTION types_in_order;
DROP FUNCTION minutes_to_read;

ALTER TABLE article_contents ALTER COLUMN reading_minutes SET NOT NULL;

-- Every version of the offline writer that was ever run here, in the order in which they came. `offline_writer` says
-- which one wrote; 0 is one from before they were counted, and null is a model. What an older one wrote is written anew.
CREATE TABLE offline_writers (
  number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  version text NOT NULL UNIQUE
);
CREATE INDEX article_contents_by_offline_writer ON article_contents (offline_writer) WHERE offline_writer IS NOT NULL;

-- What was decided earlier cannot be told in this shape.
DELETE FROM article_outlines;

-- Whether somebody is writing about a pull request, or has failed to, is asked for each article that is outdated.
CREATE INDEX writing_jobs_of_pull_request ON writing_jobs (pull_request_id);
