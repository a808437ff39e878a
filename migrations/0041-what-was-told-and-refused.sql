-- Since when a host refuses the token with which it showed a private repository to a user: what was asked before says nothing any more.
ALTER TABLE repository_grants ADD COLUMN suspended_at timestamptz(3);

-- Every issue of which a pull request has told what it says: what was made of it may quote them, whether it still closes them or not.
ALTER TABLE pull_request_contents ADD COLUMN told_issues bigint[] NOT NULL DEFAULT '{}';
UPDATE pull_request_contents SET told_issues = ARRAY(
  SELECT (issue ->> 'number')::bigint FROM jsonb_array_elements(linked_issues) AS issues (issue)
  WHERE issue ->> 'title' <> '' OR issue ->> 'body' <> '')
WHERE jsonb_array_length(linked_issues) > 0;
