-- Whatever a public page shows tells of its changes here, so that no way of writing can forget to. Those who keep pages
-- listen; what was sent twice in a transaction arrives once, and nothing arrives before it is committed.
CREATE FUNCTION tell_article_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('public_changed', 'article:' || COALESCE(NEW.article_id, OLD.article_id));
  RETURN NULL;
END $$;
CREATE TRIGGER article_changed AFTER INSERT OR UPDATE OR DELETE ON article_contents
  FOR EACH ROW EXECUTE FUNCTION tell_article_changed();

CREATE FUNCTION tell_ranking_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('public_changed', 'ranking');
  RETURN NULL;
END $$;
CREATE TRIGGER ranking_changed AFTER INSERT OR UPDATE OR DELETE ON article_rankings
  FOR EACH STATEMENT EXECUTE FUNCTION tell_ranking_changed();

CREATE FUNCTION tell_pull_request_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('public_changed', 'pullRequest:' || NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER pull_request_changed AFTER UPDATE ON pull_requests
  FOR EACH ROW
  WHEN ((OLD.host_url, OLD.title, OLD.author_login, OLD.state, OLD.head_sha, OLD.merged_at)
    IS DISTINCT FROM (NEW.host_url, NEW.title, NEW.author_login, NEW.state, NEW.head_sha, NEW.merged_at))
  EXECUTE FUNCTION tell_pull_request_changed();

CREATE FUNCTION tell_repository_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('public_changed', 'repository:' || COALESCE(NEW.id, OLD.id));
  RETURN NULL;
END $$;
CREATE TRIGGER repository_changed AFTER UPDATE ON repositories
  FOR EACH ROW
  WHEN ((OLD.owner, OLD.name, OLD.is_private, OLD.unreachable_since)
    IS DISTINCT FROM (NEW.owner, NEW.name, NEW.is_private, NEW.unreachable_since))
  EXECUTE FUNCTION tell_repository_changed();
CREATE TRIGGER repository_removed AFTER DELETE ON repositories
  FOR EACH ROW EXECUTE FUNCTION tell_repository_changed();
