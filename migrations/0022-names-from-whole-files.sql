-- What the changed lines of a diff lie in, as the whole files told when it was fetched: names and lines, never their text. What
-- was stored before has none, and is read as before, by its hunks alone.
ALTER TABLE pull_request_contents ADD COLUMN outlines jsonb NOT NULL DEFAULT '[]';
