-- Gitea lists the commits of a pull request newest first, and they were stored in that order. They are read oldest first.
UPDATE pull_request_contents AS contents SET commits = (
  SELECT jsonb_agg(listed.one ORDER BY listed.place DESC)
  FROM jsonb_array_elements(contents.commits) WITH ORDINALITY AS listed (one, place))
FROM pull_requests JOIN repositories ON repositories.id = pull_requests.repository_id
WHERE pull_requests.id = contents.pull_request_id AND repositories.host = 'gitea'
  AND jsonb_array_length(contents.commits) > 1;
