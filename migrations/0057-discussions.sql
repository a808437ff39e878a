-- Null where the host has no reviews, or has not shown them to anybody who read the pull request.
ALTER TABLE pull_request_contents ADD COLUMN discussion jsonb;
