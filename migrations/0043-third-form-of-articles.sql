-- Articles show whole hunks instead of excerpts, and say how far a change reaches, what its author wrote and what became of
-- tests. Stored sentences stay; what is new is empty until an article is written anew, which happens by itself without a model.
UPDATE article_contents SET body = (
  body::jsonb
  || jsonb_build_object(
    'scope', NULL,
    'authorWords', NULL,
    'tests', NULL,
    'mainChanges', (
      SELECT coalesce(jsonb_agg(
        (change - 'excerpts') || '{"heading": null, "hunk": null}' ORDER BY place), '[]')
      FROM jsonb_array_elements(body::jsonb -> 'mainChanges') WITH ORDINALITY AS changes (change, place)),
    'notablePoints', (
      SELECT coalesce(jsonb_agg(point || '{"severity": null}' ORDER BY place), '[]')
      FROM jsonb_array_elements(body::jsonb -> 'notablePoints') WITH ORDINALITY AS points (point, place)),
    'also', (
      SELECT coalesce(jsonb_agg(edit - 'kind' ORDER BY place), '[]')
      FROM jsonb_array_elements(body::jsonb -> 'also') WITH ORDINALITY AS edits (edit, place)))
)::json;

CREATE OR REPLACE FUNCTION sentence_ids(body jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(DISTINCT split_part(id #>> '{}', '-', 1)), '{}') FROM (
    SELECT jsonb_path_query(body, '$.scope.statement.id') AS id
    UNION ALL SELECT jsonb_path_query(body, '$.background[*].id')
    UNION ALL SELECT jsonb_path_query(body, '$.mainChanges[*].statements[*].id')
    UNION ALL SELECT jsonb_path_query(body, '$.notablePoints[*].statements[*].id')
    UNION ALL SELECT jsonb_path_query(body, '$.tests.statements[*].id')
    UNION ALL SELECT jsonb_path_query(body, '$.also[*].statement.id')
    -- A hunk without a sentence is known by its changed lines.
    UNION ALL SELECT to_jsonb(left(md5((
        SELECT coalesce(string_agg(line ->> 'text', E'\n' ORDER BY place), '')
        FROM jsonb_path_query(change, '$.hunk.lines[*] ? (@.kind != "context")') WITH ORDINALITY AS lines (line, place))), 12))
      FROM jsonb_array_elements(body -> 'mainChanges') AS changes (change)
      WHERE jsonb_typeof(change -> 'hunk') = 'object') AS told
$$;

DROP INDEX article_contents_lacking_excerpts;
ALTER TABLE article_contents DROP COLUMN lacks_excerpts;

-- Kept so that the next language asked for is there; articles of the old form would be published as they are.
DELETE FROM offline_articles;
