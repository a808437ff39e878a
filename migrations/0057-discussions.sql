-- Null where the host has no reviews, or has not shown them to anybody who read the pull request.
ALTER TABLE pull_request_contents ADD COLUMN discussion jsonb;

-- Pages show the review, so that whoever keeps them is told when it is another.
DROP TRIGGER description_changed ON pull_request_contents;
CREATE TRIGGER description_changed AFTER UPDATE ON pull_request_contents
  FOR EACH ROW WHEN ((OLD.body, OLD.discussion) IS DISTINCT FROM (NEW.body, NEW.discussion))
  EXECUTE FUNCTION tell_description_changed();
