-- What a change touches, for the second line of articles that have neither a lead nor a sentence of the author: the files and
-- functions of its main changes, its scope, the first other file, and how many tests it adds.
CREATE FUNCTION touched_by(body json) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_build_object(
    'places', coalesce((
      SELECT json_agg(json_build_array(
        coalesce(change #>> '{hunk,fileName}', change ->> 'fileName'), change #>> '{hunk,heading}') ORDER BY place)
      FROM json_array_elements(body -> 'mainChanges') WITH ORDINALITY AS changes (change, place) WHERE place <= 12), '[]'),
    'scopeKind', body #>> '{scope,kind}',
    'scope', body #>> '{scope,statement,text}',
    'otherFile', body #>> '{also,0,files,0}',
    'files', coalesce(body #>> '{counts,files}', '0')::integer,
    'newTests', coalesce(body #>> '{tests,addedTotal}', '0')::integer)
$$;
ALTER TABLE article_contents ADD COLUMN touches json NOT NULL GENERATED ALWAYS AS (touched_by(body)) STORED;
