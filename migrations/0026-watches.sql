-- That what is merged in a favorite is written about for its user. `owner` and `name` are what the host last showed this user:
-- one who may no longer see a repository does not learn what became of it. `has_begun` is false until what was merged
-- before has been planned. `paused_since` is when the user's watching stopped, and `pause` why.
CREATE TABLE watches (
  favorite_id uuid PRIMARY KEY REFERENCES favorite_repositories ON DELETE CASCADE,
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  owner text NOT NULL,
  name text NOT NULL,
  language_code text NOT NULL,
  labels text[] NOT NULL,
  include_bots boolean NOT NULL,
  since timestamptz(3) NOT NULL,
  has_begun boolean NOT NULL DEFAULT false,
  last_seen_at timestamptz(3),
  pause text CHECK (pause IN ('noToken', 'noRights', 'hostAway')),
  paused_since timestamptz(3)
);
CREATE INDEX watches_of_user ON watches (user_id, since DESC, favorite_id);
CREATE INDEX watches_of_repository ON watches (repository_id);

-- When a host is next asked what was merged in a repository, by one process of all: it holds the row until `claimed_until`, and
-- `claim` fences off those that held it before. `cursor` is how far the host has told, in its own words.
CREATE TABLE watched_repositories (
  repository_id uuid PRIMARY KEY REFERENCES repositories ON DELETE CASCADE,
  due_at timestamptz(3) NOT NULL,
  claim integer NOT NULL DEFAULT 0,
  claimed_until timestamptz(3),
  cursor text,
  -- With whose token the host last answered; null for that of the service.
  asked_by uuid,
  -- How often it gave no answer since it last gave one.
  failures integer NOT NULL DEFAULT 0
);
CREATE INDEX watched_repositories_due ON watched_repositories (due_at);

-- How many articles a model has written on a day because a repository is watched, of each repository and of all ('all').
CREATE TABLE watching_budgets (
  day date NOT NULL,
  scope text NOT NULL,
  articles integer NOT NULL,
  PRIMARY KEY (day, scope)
);

-- What watching plans is asked for with the rights of whoever watches then, and no user goes with it.
ALTER TABLE planned_articles ALTER COLUMN user_id DROP NOT NULL;

-- Why a model was not to write, where a service that has one was asked to do without; and on which day, and about which
-- repository, what a model writes was taken from what watching may spend.
ALTER TABLE writing_jobs
  ADD COLUMN because text,
  ADD COLUMN budget_day date,
  ADD COLUMN budget_scope text;
