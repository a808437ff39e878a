-- With which release a pull request came: of the ranges between two tags that were read, the one with the fewest commits that has it.
CREATE TABLE release_changes (
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  number bigint NOT NULL,
  from_tag text NOT NULL,
  to_tag text NOT NULL,
  commits integer NOT NULL,
  PRIMARY KEY (repository_id, number)
);
CREATE INDEX release_changes_of_release ON release_changes (repository_id, to_tag, from_tag);

CREATE FUNCTION tell_release_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('public_changed', 'repository:' || COALESCE(NEW.repository_id, OLD.repository_id));
  RETURN NULL;
END $$;
CREATE TRIGGER release_changed AFTER INSERT OR UPDATE OR DELETE ON release_changes
  FOR EACH ROW EXECUTE FUNCTION tell_release_changed();
