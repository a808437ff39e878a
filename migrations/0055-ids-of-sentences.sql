-- An article's sentences carry their ids, wherever they stand. The standfirst is none of them: it sums up what the others say.
CREATE OR REPLACE FUNCTION sentence_ids(body jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(DISTINCT split_part(id #>> '{}', '-', 1)), '{}') FROM (
    SELECT jsonb_path_query(body - 'standfirst', 'strict $.**.id') AS id
    -- A hunk is known by its changed lines.
    UNION ALL SELECT to_jsonb(left(md5((
        SELECT coalesce(string_agg(line ->> 'text', E'\n' ORDER BY place), '')
        FROM jsonb_path_query(hunk, '$.lines[*] ? (@.kind != "context")') WITH ORDINALITY AS lines (line, place))), 12))
      FROM jsonb_path_query(body, '$.mainChanges[*].hunk ? (@.type() == "object")') AS hunk) AS told
$$;
