-- Articles have a standfirst, excerpts of the diff, rows for what no main change tells, labels and counts, and each of their
-- sentences an id. `standfirst` is the text of the body's, for lists; `lacks_excerpts` marks what a model wrote before it could
-- have any, until the service has cut them from the diff.
ALTER TABLE article_contents
  ADD COLUMN standfirst text,
  ADD COLUMN lacks_excerpts boolean NOT NULL DEFAULT false;

-- The id that src/writing/statement-ids.ts gives to a sentence, but for the number of those that are equal.
CREATE FUNCTION statement_hash(statement jsonb) RETURNS text LANGUAGE sql AS $$
  SELECT left(encode(sha256(convert_to(concat('[', statement -> 'text', ',', statement -> 'basis', ',[', (
    SELECT string_agg(to_json(name)::text, ',' ORDER BY first) FROM (
      SELECT evidence ->> 'fileName' AS name, min(place) AS first
      FROM jsonb_array_elements(statement -> 'evidence') WITH ORDINALITY AS cited (evidence, place) GROUP BY name) AS files),
    ']]'), 'UTF8')), 'hex'), 12)
$$;

-- Everything that a body says, item by item: the background is one, and so is each change and each point. Equal sentences are
-- told apart by their order in the whole article.
CREATE FUNCTION told_with_ids(body jsonb) RETURNS TABLE (section text, item bigint, told jsonb) LANGUAGE sql AS $$
  WITH items AS (
    SELECT 1 AS turn, 'background' AS section, 1::bigint AS item, coalesce(body -> 'background', '[]') AS statements
    UNION ALL
    SELECT 2, 'mainChanges', place, change -> 'statements'
    FROM jsonb_array_elements(body -> 'mainChanges') WITH ORDINALITY AS changes (change, place)
    UNION ALL
    SELECT 3, 'notablePoints', place, point -> 'statements'
    FROM jsonb_array_elements(body -> 'notablePoints') WITH ORDINALITY AS points (point, place)),
  hashed AS (
    SELECT turn, section, item, place, statement, statement_hash(statement) AS hash
    FROM items CROSS JOIN jsonb_array_elements(statements) WITH ORDINALITY AS listed (statement, place)),
  numbered AS (
    SELECT *, row_number() OVER (PARTITION BY hash ORDER BY turn, item, place) AS time FROM hashed)
  SELECT section, item, jsonb_agg(
    statement || jsonb_build_object('id', hash || CASE time WHEN 1 THEN '' ELSE '-' || time END) ORDER BY place)
  FROM numbered GROUP BY section, item
$$;

CREATE FUNCTION in_new_form(body jsonb, counts jsonb) RETURNS jsonb LANGUAGE sql AS $$
  WITH told AS MATERIALIZED (SELECT * FROM told_with_ids(body))
  SELECT body || jsonb_build_object(
    'standfirst', NULL,
    'also', '[]'::jsonb,
    'counts', counts,
    'background', coalesce((SELECT told FROM told WHERE section = 'background'), '[]'),
    'mainChanges', (
      SELECT coalesce(jsonb_agg(change || '{"excerpts": []}'
        || jsonb_build_object('statements', coalesce(told, change -> 'statements')) ORDER BY place), '[]')
      FROM jsonb_array_elements(body -> 'mainChanges') WITH ORDINALITY AS changes (change, place)
      LEFT JOIN told ON section = 'mainChanges' AND item = place),
    'notablePoints', (
      SELECT coalesce(jsonb_agg(point || '{"label": null}'
        || jsonb_build_object('statements', coalesce(told, point -> 'statements')) ORDER BY place), '[]')
      FROM jsonb_array_elements(body -> 'notablePoints') WITH ORDINALITY AS points (point, place)
      LEFT JOIN told ON section = 'notablePoints' AND item = place))
$$;

-- How large a change is, by what is stored of the pull request now; where nothing is, by what was read of it.
CREATE FUNCTION counts_of(body jsonb, contents pull_request_contents) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object(
    'files', coalesce(jsonb_array_length(contents.files), (body #>> '{coverage,filesTotal}')::integer, 0),
    'additions', coalesce(contents.additions, 0),
    'deletions', coalesce(contents.deletions, 0),
    'commits', coalesce(jsonb_array_length(contents.commits), 0),
    'parts', coalesce((
      SELECT jsonb_agg(jsonb_build_object('kind', kind, 'files', files) ORDER BY place)
      FROM (
        SELECT kind, place, count(*) AS files
        FROM unnest(ARRAY['source', 'test', 'documentation', 'build', 'configuration', 'manifest', 'lock', 'generated',
          'vendored', 'binary']) WITH ORDINALITY AS kinds (kind, place)
        JOIN jsonb_array_elements(contents.files) AS file ON file ->> 'kind' = kind
        GROUP BY kind, place) AS parts), '[]'))
$$;

UPDATE article_contents SET
  body = in_new_form(article_contents.body::jsonb, counts_of(article_contents.body::jsonb, contents))::json,
  lacks_excerpts = coalesce(article_contents.body #>> '{writer,kind}' = 'ai', false)
    AND article_contents.body -> 'mainChanges' ->> 0 IS NOT NULL,
  revision = revision + 1
FROM articles LEFT JOIN pull_request_contents AS contents ON contents.pull_request_id = articles.pull_request_id
WHERE articles.id = article_contents.article_id;

DROP FUNCTION counts_of;
DROP FUNCTION in_new_form;
DROP FUNCTION told_with_ids;
DROP FUNCTION statement_hash;

CREATE INDEX article_contents_lacking_excerpts ON article_contents (article_id) WHERE lacks_excerpts;

-- What a model wrote was paid for: it is kept for saying it in other languages.
UPDATE ai_drafts SET draft = jsonb_set(draft, '{draft}', draft -> 'draft' || jsonb_build_object(
  'standfirst', NULL,
  'also', '[]'::jsonb,
  'mainChanges', (
    SELECT coalesce(jsonb_agg(change || '{"excerpts": []}' ORDER BY place), '[]')
    FROM jsonb_array_elements(draft #> '{draft,mainChanges}') WITH ORDINALITY AS changes (change, place)),
  'notablePoints', (
    SELECT coalesce(jsonb_agg(point || '{"label": null}' ORDER BY place), '[]')
    FROM jsonb_array_elements(draft #> '{draft,notablePoints}') WITH ORDINALITY AS points (point, place))));

-- Pages show what the author wrote about a change, so that whoever keeps them is told when that is another.
CREATE FUNCTION tell_description_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('public_changed', 'pullRequest:' || NEW.pull_request_id);
  RETURN NULL;
END $$;
CREATE TRIGGER description_changed AFTER UPDATE ON pull_request_contents
  FOR EACH ROW WHEN (OLD.body IS DISTINCT FROM NEW.body) EXECUTE FUNCTION tell_description_changed();
