-- What an article says is read far more often than written, so it is kept as it is answered: `body` is the JSON of the
-- contract but for likes and staleness, handed on as bytes. `revision` counts how often it was written, for the tags of
-- answers. `change_types` are those of the body, for lists.
ALTER TABLE article_contents
  ADD COLUMN body json,
  ADD COLUMN change_types text[],
  ADD COLUMN revision integer NOT NULL DEFAULT 1;

-- Where a code host shows the lines is known to those who write: what was written before gets it when it is written anew.
CREATE FUNCTION with_evidence_unlinked(told jsonb) RETURNS jsonb LANGUAGE sql AS $$
  SELECT coalesce(jsonb_agg(one || jsonb_build_object('evidence', (
    SELECT coalesce(jsonb_agg(lines || '{"hostUrl": null}' ORDER BY place), '[]')
    FROM jsonb_array_elements(one -> 'evidence') WITH ORDINALITY AS evidence (lines, place))) ORDER BY place), '[]')
  FROM jsonb_array_elements(told) WITH ORDINALITY AS ones (one, place)
$$;
UPDATE article_contents SET
  body = json_build_object(
    'languageCode', language_code,
    'aiGeneratedTitle', title,
    'backgroundAndPurpose', background,
    'mainChanges', with_evidence_unlinked(main_changes::jsonb),
    'notablePoints', with_evidence_unlinked(notable_points::jsonb),
    'summaryGeneratedAt', to_char(generated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'headSha', head_sha,
    'writer', writer,
    'coverage', coverage,
    'verification', verification),
  change_types = ARRAY(
    SELECT DISTINCT jsonb_array_elements_text(one -> 'changeTypes') FROM jsonb_array_elements(main_changes::jsonb) AS one);
DROP FUNCTION with_evidence_unlinked;

ALTER TABLE article_contents
  ALTER COLUMN body SET NOT NULL,
  ALTER COLUMN change_types SET NOT NULL,
  DROP COLUMN background,
  DROP COLUMN main_changes,
  DROP COLUMN notable_points,
  DROP COLUMN writer,
  DROP COLUMN coverage,
  DROP COLUMN verification,
  DROP COLUMN usage;
