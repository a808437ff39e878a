-- The whole schema as of the first release. Later changes are files of their own, which never change once they are released.

-- What articles are found by: a row for each article and language. `words` is made by the program, of the text alone, and is null
-- until it has made it; `place` counts up as articles are written, so that the newest have the highest, and `=s…` among the
-- words say in which stretches of 512 places and more the row lies: the index itself then has the newest matches. `=r…` is
-- the repository, and `=pub` stands where that is public, so that the index passes over what a viewer does not see. Whether they
-- may see it is still asked of the repository each time.
CREATE SEQUENCE article_search_places;

-- What an author is found by: a name means little without its host, and case is that of the letters that the database's locale
-- knows, a to z at least. An index holds no longer ones.
CREATE FUNCTION author_key(host text, login text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT host || ':' || lower(left(login, 200))
$$;

-- Who a credential proves somebody to be on a code host. Signing up makes a user of an identity.
CREATE TABLE identities (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  host text NOT NULL,
  host_user_id bigint NOT NULL,
  username text NOT NULL,
  display_name text NOT NULL,
  email text NOT NULL,
  avatar_url text,
  UNIQUE (host, host_user_id)
);

CREATE TABLE users (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  identity_id uuid NOT NULL UNIQUE REFERENCES identities ON DELETE CASCADE,
  language text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  rights_revoked_at timestamptz(3)
);

-- Tokens are kept as hexadecimal SHA-256 only: whoever reads this table cannot sign in with it.
CREATE TABLE sessions (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  identity_id uuid NOT NULL REFERENCES identities ON DELETE CASCADE,
  token_hash text NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3)
);
CREATE INDEX sessions_of_identity ON sessions (identity_id, created_at DESC);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
-- What housekeeping removes is found without looking at what stays.
CREATE INDEX sessions_revoked ON sessions (revoked_at) WHERE revoked_at IS NOT NULL;

-- Tokens that carry their own proof and were logged out, or were good for one use and have had it.
CREATE TABLE refused_tokens (
  token_hash text PRIMARY KEY,
  expires_at timestamptz(3)
);
CREATE INDEX refused_tokens_by_expiry ON refused_tokens (expires_at);

-- Keyed by the number the host gives it, so that a rename keeps what belongs to it and a re-used name inherits nothing.
CREATE TABLE repositories (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  host text NOT NULL,
  host_repo_id bigint NOT NULL,
  owner text NOT NULL,
  name text NOT NULL,
  is_private boolean NOT NULL,
  checked_at timestamptz(3) NOT NULL,
  unreachable_since timestamptz(3),
  read_at timestamptz(3),
  unanswered_at timestamptz(3),
  is_removed boolean NOT NULL DEFAULT false,
  revoked_at timestamptz(3),
  UNIQUE (host, host_repo_id)
);
CREATE INDEX repositories_by_name ON repositories (host, lower(owner), lower(name));
-- Lists show what its host has confirmed of late, so that repositories are looked for by when that was.
CREATE INDEX repositories_by_check ON repositories (checked_at);
-- What is hidden is taken off the sums: usually next to nothing.
CREATE INDEX repositories_hidden ON repositories (id)
  WHERE is_private OR unreachable_since IS NOT NULL OR is_removed OR revoked_at IS NOT NULL;
-- Those of one owner are found by their name.
CREATE INDEX repositories_of_owner ON repositories (host, lower(owner)) WHERE is_private;

-- That the host let this user see this private repository.
CREATE TABLE repository_grants (
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  confirmed_at timestamptz(3) NOT NULL,
  withdrawn boolean NOT NULL DEFAULT false,
  unreachable_since timestamptz(3),
  suspended_at timestamptz(3),
  PRIMARY KEY (repository_id, user_id)
);
CREATE INDEX repository_grants_of_user ON repository_grants (user_id);
CREATE INDEX repository_grants_withdrawn ON repository_grants (confirmed_at) WHERE withdrawn;

CREATE TABLE favorite_repositories (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  registered_at timestamptz(3) NOT NULL,
  UNIQUE (user_id, repository_id)
);
CREATE INDEX favorite_repositories_newest ON favorite_repositories (user_id, registered_at DESC, id);
CREATE INDEX favorite_repositories_of_repository ON favorite_repositories (repository_id);

-- What lists read of a pull request.
CREATE TABLE pull_requests (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  number bigint NOT NULL,
  host_url text,
  title text NOT NULL,
  author_login text NOT NULL,
  state text NOT NULL CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text, 'merged'::text]))),
  head_sha text NOT NULL,
  host_created_at timestamptz(3) NOT NULL,
  merged_at timestamptz(3),
  fetched_at timestamptz(3) NOT NULL,
  base_sha text NOT NULL DEFAULT '',
  cut_at_bytes bigint,
  diff_revision integer NOT NULL DEFAULT 1,
  host_version text,
  unused_since timestamptz(3),
  outdated_at timestamptz(3),
  has_moved boolean NOT NULL DEFAULT false,
  UNIQUE (repository_id, number)
);
CREATE INDEX pull_requests_unused ON pull_requests (unused_since) WHERE unused_since IS NOT NULL;
CREATE INDEX pull_requests_merged ON pull_requests (repository_id, merged_at) WHERE merged_at IS NOT NULL;

-- The rest of it, for readers of one. `unread` lists the files whose changes were too large to keep.
CREATE TABLE pull_request_contents (
  pull_request_id uuid PRIMARY KEY REFERENCES pull_requests ON DELETE CASCADE,
  body text,
  labels jsonb NOT NULL,
  base_ref text NOT NULL,
  head_ref text NOT NULL,
  additions bigint NOT NULL,
  deletions bigint NOT NULL,
  files jsonb NOT NULL,
  unread jsonb NOT NULL,
  commits jsonb NOT NULL,
  comments jsonb NOT NULL,
  linked_issues jsonb NOT NULL,
  outlines jsonb NOT NULL DEFAULT '[]'::jsonb,
  told_issues bigint[] NOT NULL DEFAULT '{}'::bigint[]
);

-- The diff in compressed parts of whole files, so that one file can be had without the others.
CREATE TABLE pull_request_diffs (
  pull_request_id uuid NOT NULL,
  first_file integer NOT NULL,
  last_file integer NOT NULL,
  compressed bytea NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  replaced_at timestamptz(3),
  PRIMARY KEY (pull_request_id, revision, first_file)
);
CREATE INDEX pull_request_diffs_replaced ON pull_request_diffs (replaced_at) WHERE replaced_at IS NOT NULL;

-- One article about a pull request, whatever it is written for and in however many languages.
CREATE TABLE articles (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  pull_request_id uuid NOT NULL UNIQUE REFERENCES pull_requests ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  repository_id uuid NOT NULL,
  listed_at timestamptz NOT NULL
);
-- Lists with a row for each article: of all, and of a repository.
CREATE INDEX articles_newest ON articles (listed_at DESC, id) INCLUDE (repository_id);
CREATE INDEX articles_of_repository ON articles (repository_id, listed_at DESC, id);

-- What it says in one language, and the head that it says it of. Likes belong to the language and outlive rewriting.
-- It is read whole and never searched: json is handed out as it was put in, where jsonb would be printed each time.
CREATE TABLE article_contents (
  article_id uuid NOT NULL REFERENCES articles ON DELETE CASCADE,
  language_code text NOT NULL,
  title text NOT NULL,
  head_sha text NOT NULL,
  generated_at timestamptz(3) NOT NULL,
  like_count bigint NOT NULL DEFAULT 0,
  body json NOT NULL,
  change_types text[] NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  base_sha text NOT NULL DEFAULT '',
  quote json,
  reading_minutes integer NOT NULL,
  offline_writer integer,
  failed_tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz(3),
  repository_id uuid NOT NULL,
  standfirst text,
  lacks_excerpts boolean NOT NULL DEFAULT false,
  is_breaking boolean NOT NULL DEFAULT false,
  listed_at timestamptz NOT NULL,
  PRIMARY KEY (article_id, language_code)
);
CREATE INDEX article_contents_by_offline_writer ON article_contents (offline_writer) WHERE offline_writer IS NOT NULL;
CREATE INDEX article_contents_lacking_excerpts ON article_contents (article_id) WHERE lacks_excerpts;
CREATE INDEX article_contents_newest ON article_contents (listed_at DESC, article_id, language_code) INCLUDE (repository_id);
CREATE INDEX article_contents_of_language ON article_contents (language_code, listed_at DESC, article_id) INCLUDE (repository_id);
CREATE INDEX article_contents_of_repository ON article_contents (repository_id, language_code, listed_at DESC, article_id);

CREATE TABLE offline_articles (
  pull_request_id uuid PRIMARY KEY REFERENCES pull_requests ON DELETE CASCADE,
  version integer NOT NULL,
  articles jsonb NOT NULL,
  diff_revision integer NOT NULL
);

-- The writing of one article in one language. `attempt` counts every start and fences off whoever started before;
-- `put_back` counts the starts that ended because a process was stopped, which are nobody's failure. `version` counts
-- every change that can be seen.
CREATE TABLE writing_jobs (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  pull_request_id uuid NOT NULL REFERENCES pull_requests ON DELETE CASCADE,
  head_sha text NOT NULL,
  language_code text NOT NULL,
  writer text NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))),
  attempt integer NOT NULL DEFAULT 0,
  put_back integer NOT NULL DEFAULT 0,
  step text NOT NULL DEFAULT 'queued',
  done integer NOT NULL DEFAULT 0,
  total integer NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 1,
  error jsonb,
  article_id uuid REFERENCES articles ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  base_sha text NOT NULL DEFAULT '',
  quota_host text,
  quota_user_id bigint,
  quota_day date,
  model_called boolean NOT NULL DEFAULT false,
  queued_at timestamptz(3) NOT NULL DEFAULT now(),
  heartbeat_at timestamptz(3),
  because text,
  budget_day date,
  budget_scope text,
  is_planned boolean NOT NULL DEFAULT false
);
CREATE INDEX writing_jobs_finished ON writing_jobs (finished_at) WHERE finished_at IS NOT NULL;
-- Claiming work is inserting here: of any number who try at once, on any number of replicas, one succeeds.
CREATE UNIQUE INDEX writing_jobs_claim ON writing_jobs (pull_request_id, head_sha, base_sha, language_code, writer)
  WHERE state IN ('queued', 'running');
-- Whether somebody is writing about a pull request, or has failed to, is asked for each article that is outdated.
CREATE INDEX writing_jobs_of_pull_request ON writing_jobs (pull_request_id);
CREATE INDEX writing_jobs_waiting ON writing_jobs (is_planned, queued_at, id) WHERE state IN ('queued', 'running');

CREATE TABLE writing_job_askers (
  job_id uuid NOT NULL REFERENCES writing_jobs ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  cancelled_at timestamptz(3),
  PRIMARY KEY (job_id, user_id)
);
CREATE INDEX writing_job_askers_of_user ON writing_job_askers (user_id);

-- Who likes what an article says in one language. The article comes first in the key, so that it also serves deleting one.
CREATE TABLE article_likes (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  article_id uuid NOT NULL,
  language_code text NOT NULL,
  liked_at timestamptz(3) NOT NULL,
  UNIQUE (article_id, language_code, user_id),
  FOREIGN KEY (article_id, language_code) REFERENCES article_contents(article_id, language_code) ON DELETE CASCADE
);
CREATE INDEX article_likes_of_user ON article_likes (user_id, liked_at DESC, id);
CREATE INDEX article_likes_by_time ON article_likes (liked_at);

-- The periods that are ranked, and up to which moment likes have left each. A like counts in a period while it is later
-- than that. `as_of` is when the window was last looked at.
CREATE TABLE ranking_windows (
  period text PRIMARY KEY,
  counted_from timestamptz(3) NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  as_of timestamptz(3)
);

-- How many likes an article has in a period, where it has any, and what its place depends on. Whoever changes a row holds
-- the lock of the row in `article_contents` that it belongs to. `written_at` is how new the article is.
CREATE TABLE article_rankings (
  article_id uuid NOT NULL,
  language_code text NOT NULL,
  period text NOT NULL,
  repository_id uuid NOT NULL,
  pull_request_number bigint NOT NULL,
  like_count integer NOT NULL CHECK ((like_count > 0)),
  written_at timestamptz(3) NOT NULL,
  PRIMARY KEY (article_id, language_code, period),
  FOREIGN KEY (article_id, language_code) REFERENCES article_contents(article_id, language_code) ON DELETE CASCADE
);
CREATE INDEX article_rankings_of_period ON article_rankings
  (period, like_count DESC, written_at DESC, article_id, language_code) INCLUDE (repository_id, pull_request_number);
CREATE INDEX article_rankings_of_language ON article_rankings
  (period, language_code, like_count DESC, written_at DESC, article_id) INCLUDE (repository_id, pull_request_number);
CREATE INDEX article_rankings_of_repository ON article_rankings
  (repository_id, period, like_count DESC, written_at DESC, article_id, language_code) INCLUDE (pull_request_number);

-- How many rows of the ranking there are, so that nobody has to count them: of each repository, and of all of them. Those
-- of all are spread over sixteen rows, so that not everybody waits for the same one.
CREATE TABLE ranking_totals (
  repository_id uuid NOT NULL,
  language_code text NOT NULL,
  period text NOT NULL,
  articles integer NOT NULL,
  PRIMARY KEY (period, repository_id, language_code)
);

CREATE TABLE ranking_sums (
  period text NOT NULL,
  language_code text NOT NULL,
  part integer NOT NULL,
  articles integer NOT NULL,
  PRIMARY KEY (period, language_code, part)
);

-- Every version of the offline writer that was ever run here, in the order in which they came. `offline_writer` says
-- which one wrote; 0 is one from before they were counted, and null is a model. What an older one wrote is written anew.
CREATE TABLE offline_writers (
  number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  version text NOT NULL UNIQUE
);

-- How many articles somebody has had written by a model on a day (UTC). By the number that the host gives them, so that a new
-- account is no new quota.
CREATE TABLE ai_quotas (
  host text NOT NULL,
  host_user_id bigint NOT NULL,
  day date NOT NULL,
  articles integer NOT NULL CHECK ((articles >= 0)),
  PRIMARY KEY (host, host_user_id, day)
);
CREATE INDEX ai_quotas_by_day ON ai_quotas (day);

-- How many tokens models were asked for on a day, for everybody: what was used, and what calls under way may still use.
CREATE TABLE ai_tokens (
  day date PRIMARY KEY,
  tokens bigint NOT NULL CHECK ((tokens >= 0))
);

-- What models answered for a job, so that whoever takes it over does not pay again. It goes when the job is over.
CREATE TABLE ai_answers (
  job_id uuid NOT NULL REFERENCES writing_jobs ON DELETE CASCADE,
  question text NOT NULL,
  answer jsonb NOT NULL,
  PRIMARY KEY (job_id, question)
);

-- What a model wrote about a diff and what of it held, for saying it in another language.
CREATE TABLE ai_drafts (
  pull_request_id uuid PRIMARY KEY REFERENCES pull_requests ON DELETE CASCADE,
  diff_revision integer NOT NULL,
  language_code text NOT NULL,
  draft jsonb NOT NULL
);

-- Diffs that were more than a thread could read within its limits, while being fetched or written about, so that they are not
-- tried again on the same terms: the program and its limits. One for each pull request; a newer one takes its place.
CREATE TABLE unreadable_diffs (
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  number bigint NOT NULL,
  base_sha text NOT NULL,
  head_sha text NOT NULL,
  step text NOT NULL CHECK ((step = ANY (ARRAY['fetching'::text, 'writing'::text]))),
  terms text NOT NULL,
  message text NOT NULL,
  noted_at timestamptz NOT NULL,
  PRIMARY KEY (repository_id, number)
);
CREATE INDEX unreadable_diffs_by_time ON unreadable_diffs (noted_at);

-- Where a host was when its numbers were stored: at another address the same numbers are other people and repositories.
CREATE TABLE code_host_addresses (
  host text PRIMARY KEY,
  address text NOT NULL,
  next_round_at timestamptz(3)
);

-- The token of a code host that somebody saved, one for each host. Sealed with a key of the service, for this identity and
-- this host: whoever reads or moves the row cannot use it.
CREATE TABLE host_tokens (
  identity_id uuid NOT NULL REFERENCES identities ON DELETE CASCADE,
  host text NOT NULL,
  sealed text NOT NULL,
  saved_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  generation integer NOT NULL DEFAULT 1,
  refresh_claimed_until timestamptz(3),
  refresh_refused boolean NOT NULL DEFAULT false,
  PRIMARY KEY (identity_id, host)
);

-- How many bytes somebody has had stored by fetching pull requests on a day (UTC). By the number that the host gives them, so
-- that a new account is no new quota.
CREATE TABLE ingest_quotas (
  host text NOT NULL,
  host_user_id bigint NOT NULL,
  day date NOT NULL,
  bytes bigint NOT NULL CHECK ((bytes >= 0)),
  PRIMARY KEY (host, host_user_id, day)
);
CREATE INDEX ingest_quotas_by_day ON ingest_quotas (day);

-- What an operator has removed, a repository or one of its pull requests: it is not fetched again. By the number that the host
-- gives the repository where that is known, so that another name does not bring it back; until then by its name.
CREATE TABLE removals (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  host text NOT NULL,
  host_repo_id bigint,
  owner text NOT NULL,
  name text NOT NULL,
  number bigint,
  removed_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX removals_by_id ON removals (host, host_repo_id, coalesce(number, 0)) WHERE host_repo_id IS NOT NULL;
CREATE UNIQUE INDEX removals_by_name ON removals (host, lower(owner), lower(name), coalesce(number, 0))
  WHERE host_repo_id IS NULL;

-- When housekeeping is next due, for one process of all.
CREATE TABLE housekeeping (
  due_at timestamptz(3) NOT NULL
);

-- How many rows such lists have, so that nobody has to count them: of each repository, and of all of them. Those of all are
-- spread over sixteen rows, so that not everybody waits for the same one. Under the language '*' each article counts once,
-- whatever languages it is written in.
CREATE TABLE article_totals (
  repository_id uuid NOT NULL,
  language_code text NOT NULL,
  articles integer NOT NULL,
  newest_at timestamptz(3),
  PRIMARY KEY (repository_id, language_code)
);
CREATE INDEX article_totals_newest ON article_totals (newest_at DESC, repository_id) INCLUDE (articles)
  WHERE language_code = '*' AND articles > 0;

CREATE TABLE article_sums (
  language_code text NOT NULL,
  part integer NOT NULL,
  articles integer NOT NULL,
  PRIMARY KEY (language_code, part)
);

-- What a model noted on a part of a large pull request, by what was asked and of which model, so that a part that stays as it is
-- is read once.
CREATE TABLE ai_notes (
  pull_request_id uuid NOT NULL REFERENCES pull_requests ON DELETE CASCADE,
  part text NOT NULL,
  notes jsonb NOT NULL,
  used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (pull_request_id, part)
);

-- Which files of a large pull request are read together, so that a push leaves the other parts as they were.
CREATE TABLE ai_part_plans (
  pull_request_id uuid PRIMARY KEY REFERENCES pull_requests ON DELETE CASCADE,
  plan jsonb NOT NULL
);

-- What a user has asked to have written about many pull requests at once. To clients it is a job like any other, so its states
-- are those of one; `version` counts every change that can be seen, and `wanted` tells one set of pull requests from another.
CREATE TABLE imports (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  language_code text NOT NULL,
  wanted text NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))),
  done integer NOT NULL DEFAULT 0,
  total integer NOT NULL,
  version bigint NOT NULL DEFAULT 1,
  error jsonb,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  finished_at timestamptz(3)
);
-- The same asked for twice is one import, for as long as that is not over.
CREATE UNIQUE INDEX imports_alive ON imports (user_id, repository_id, language_code, wanted)
  WHERE state IN ('queued', 'running');
CREATE INDEX imports_of_repository ON imports (repository_id);
CREATE INDEX imports_finished ON imports (finished_at) WHERE finished_at IS NOT NULL;

-- An article that is to be asked for, with the rights of a user, as soon as others leave room for it. `attempt` counts every
-- start and fences off those that started before; `deferred` counts how often it had to wait for a host. `job_id` is the writing
-- of it and refers to nothing, because that goes first.
CREATE TABLE planned_articles (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  user_id uuid REFERENCES users ON DELETE CASCADE,
  import_id uuid REFERENCES imports ON DELETE CASCADE,
  pr_number bigint NOT NULL,
  language_code text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'skipped'::text]))),
  job_id uuid,
  attempt integer NOT NULL DEFAULT 0,
  deferred integer NOT NULL DEFAULT 0,
  not_before timestamptz(3) NOT NULL,
  heartbeat_at timestamptz(3),
  error jsonb,
  finished_at timestamptz(3),
  may_be_open boolean NOT NULL DEFAULT false,
  is_due_again boolean NOT NULL DEFAULT false,
  UNIQUE (import_id, pr_number)
);
-- What no import asks for is planned once for all.
CREATE UNIQUE INDEX planned_articles_alone ON planned_articles (repository_id, pr_number, language_code)
  WHERE import_id IS NULL;
CREATE INDEX planned_articles_waiting ON planned_articles (not_before, id) WHERE state IN ('waiting', 'running');
CREATE INDEX planned_articles_of_user ON planned_articles (user_id);
CREATE INDEX planned_articles_finished ON planned_articles (finished_at)
  WHERE import_id IS NULL AND finished_at IS NOT NULL;

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
  pause text CHECK ((pause = ANY (ARRAY['noToken'::text, 'noRights'::text, 'hostAway'::text]))),
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
  asked_by uuid,
  failures integer NOT NULL DEFAULT 0,
  is_told boolean NOT NULL DEFAULT false,
  webhook_at timestamptz(3)
);
CREATE INDEX watched_repositories_due ON watched_repositories (due_at);

-- How many articles a model has written on a day because a repository is watched, of each repository and of all ('all').
CREATE TABLE watching_budgets (
  day date NOT NULL,
  scope text NOT NULL,
  articles integer NOT NULL,
  PRIMARY KEY (day, scope)
);

-- What hosts delivered and caused something here: the same again changes nothing. With the pull request that it was about, where
-- it was about one: when what it caused fails, it can be delivered again.
CREATE TABLE webhook_deliveries (
  host text NOT NULL,
  delivery_id text NOT NULL,
  received_at timestamptz(3) NOT NULL,
  host_repo_id bigint,
  pr_number bigint,
  PRIMARY KEY (host, delivery_id)
);
CREATE INDEX webhook_deliveries_of_pull_request ON webhook_deliveries (host_repo_id, pr_number)
  WHERE host_repo_id IS NOT NULL;
CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (received_at);

-- What a user has read: an article in a language, as it was written then. A mark whose revision is not that of the article
-- any more tells that it says something new since; the trigger below moves those along that have missed nothing.
CREATE TABLE read_marks (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  article_id uuid NOT NULL,
  language_code text NOT NULL,
  revision integer NOT NULL,
  read_at timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, article_id, language_code),
  FOREIGN KEY (article_id, language_code) REFERENCES article_contents(article_id, language_code) ON DELETE CASCADE
);
CREATE INDEX read_marks_of_article ON read_marks (article_id, language_code, revision);

-- The sentences of a revision that was read and has been replaced, as long as a mark refers to it.
CREATE TABLE read_revisions (
  article_id uuid NOT NULL,
  language_code text NOT NULL,
  revision integer NOT NULL,
  sentence_ids text[] NOT NULL,
  PRIMARY KEY (article_id, language_code, revision),
  FOREIGN KEY (article_id, language_code) REFERENCES article_contents(article_id, language_code) ON DELETE CASCADE
);

-- Lists of one author and of one change type cost what other lists cost: an index has their rows in order, and how many there are
-- is counted as articles come and go. A row stands here for each article in each of its languages, and once for the article, under
-- the language '*': by its author (with the type '*'), by each of its types (with the author '*'), and by both.
CREATE TABLE article_facets (
  article_id uuid NOT NULL,
  language_code text NOT NULL,
  author text NOT NULL,
  change_type text NOT NULL,
  repository_id uuid NOT NULL,
  listed_at timestamptz NOT NULL,
  PRIMARY KEY (article_id, language_code, author, change_type)
);
CREATE INDEX article_facets_newest ON article_facets (author, change_type, language_code, listed_at DESC, article_id)
  INCLUDE (repository_id);
CREATE INDEX article_facets_of_repository ON article_facets
  (repository_id, author, change_type, language_code, listed_at DESC, article_id);

CREATE TABLE facet_totals (
  repository_id uuid NOT NULL,
  author text NOT NULL,
  change_type text NOT NULL,
  language_code text NOT NULL,
  articles integer NOT NULL,
  PRIMARY KEY (repository_id, author, change_type, language_code)
);
-- How many articles of one author or one type are hidden from a viewer: what repositories have of them lies side by side, and is
-- counted without a look at the table. Repository by repository, every one of them was looked up in what all authors have written.
CREATE INDEX facet_totals_of_facet ON facet_totals (author, change_type, repository_id, language_code) INCLUDE (articles);

CREATE TABLE facet_sums (
  author text NOT NULL,
  change_type text NOT NULL,
  language_code text NOT NULL,
  part integer NOT NULL,
  articles integer NOT NULL,
  PRIMARY KEY (author, change_type, language_code, part)
);

-- Pictures that stand beside links to articles, drawn when first asked for: one for each article and language, which goes with
-- it. What `version` names is what it shows.
CREATE TABLE article_cards (
  article_id uuid NOT NULL,
  language_code text NOT NULL,
  version text NOT NULL,
  png bytea NOT NULL,
  drawn_at timestamptz(3) NOT NULL,
  PRIMARY KEY (article_id, language_code),
  FOREIGN KEY (article_id, language_code) REFERENCES article_contents(article_id, language_code) ON DELETE CASCADE
);
ALTER TABLE article_cards ALTER COLUMN png SET STORAGE EXTERNAL;
CREATE INDEX article_cards_drawn ON article_cards (drawn_at);

CREATE TABLE article_search (
  article_id uuid NOT NULL,
  language_code text NOT NULL,
  repository_id uuid NOT NULL,
  place bigint NOT NULL DEFAULT nextval('article_search_places'::regclass),
  is_public boolean NOT NULL DEFAULT false,
  words tsvector,
  sections json,
  repository_name text,
  listed_at timestamptz NOT NULL,
  PRIMARY KEY (article_id, language_code),
  FOREIGN KEY (article_id, language_code) REFERENCES article_contents(article_id, language_code) ON DELETE CASCADE
) WITH (toast_tuple_target=128);
CREATE INDEX article_search_due ON article_search (place) WHERE words IS NULL;
-- What was written last waits to be sorted into the index, a little of it: searching reads through all that waits.
CREATE INDEX article_search_words ON article_search USING gin (words) WITH (gin_pending_list_limit = 256)
  WHERE words IS NOT NULL;
CREATE UNIQUE INDEX article_search_newest ON article_search (place);

-- The secret address at which a user's feed is read without another credential, one for each user. Only a hash of the secret is
-- stored: it is random and long, so that it cannot be guessed back.
CREATE TABLE feed_addresses (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret_hash text NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL
);

-- What hosts have told to be merged where somebody watches, whether it was written about or not: digests count by it. No more is
-- kept of it than its number, because what was never fetched is nothing to show.
CREATE TABLE told_merges (
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  pr_number bigint NOT NULL,
  merged_at timestamptz(3) NOT NULL,
  is_bot boolean NOT NULL,
  is_draft boolean NOT NULL,
  PRIMARY KEY (repository_id, pr_number)
);
CREATE INDEX told_merges_of_repository ON told_merges (repository_id, merged_at);
CREATE INDEX told_merges_by_time ON told_merges (merged_at);

-- How often a user wants a digest sent, and where to. The secret of the mail that asks whether the address is theirs is kept as a
-- hash. `ended_because` says why the service itself has ended it.
CREATE TABLE digests (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  period text NOT NULL CHECK ((period = ANY (ARRAY['off'::text, 'daily'::text, 'weekly'::text]))),
  email text,
  confirmed_at timestamptz(3),
  confirm_hash text UNIQUE,
  confirm_until timestamptz(3),
  ended_because text CHECK ((ended_because = 'refused'::text)),
  chosen_at timestamptz(3) NOT NULL
);
CREATE INDEX digests_wanted ON digests (period) WHERE confirmed_at IS NOT NULL AND period <> 'off';

-- One digest to one recipient: a user, or the webhook of the settings, which is no user's. Of any number of processes one claims
-- it, until `claimed_until`; `attempt` fences off those that claimed it before. It is `sending` from before the first byte of it
-- leaves until the recipient's server has answered: one that stays so may have arrived, and is not sent again.
CREATE TABLE digest_deliveries (
  recipient text NOT NULL,
  period text NOT NULL,
  period_end timestamptz(3) NOT NULL,
  user_id uuid REFERENCES users ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'waiting' CHECK ((state = ANY (ARRAY['waiting'::text, 'claimed'::text, 'sending'::text, 'sent'::text, 'nothing'::text, 'unwanted'::text, 'failed'::text, 'unknown'::text]))),
  attempt integer NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  planned_at timestamptz(3) NOT NULL,
  not_before timestamptz(3) NOT NULL,
  claimed_until timestamptz(3),
  secret_hash text UNIQUE,
  PRIMARY KEY (recipient, period, period_end)
);
CREATE INDEX digest_deliveries_due ON digest_deliveries (not_before) WHERE state IN ('waiting', 'claimed', 'sending');
CREATE INDEX digest_deliveries_of_user ON digest_deliveries (user_id);
CREATE INDEX digest_deliveries_by_time ON digest_deliveries (period_end);

-- How many mails have asked on a day whether an address is the asker's: of an address, and by one who asks.
CREATE TABLE confirmation_mails (
  day date NOT NULL,
  scope text NOT NULL,
  mails integer NOT NULL,
  PRIMARY KEY (day, scope)
);

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

CREATE VIEW facets_as_written AS
SELECT written.article_id, written.language_code, facets.author, facets.change_type, written.repository_id, written.listed_at
FROM (
  SELECT article_id, language_code, repository_id, listed_at, change_types FROM article_contents
  UNION ALL
  SELECT articles.id, '*', articles.repository_id, articles.listed_at, standing.change_types
  FROM articles CROSS JOIN LATERAL (
    SELECT array_agg(type) FILTER (WHERE type IS NOT NULL) AS change_types
    FROM article_contents AS contents LEFT JOIN LATERAL unnest(contents.change_types) AS type ON true
    WHERE contents.article_id = articles.id HAVING count(*) > 0) AS standing) AS written
JOIN articles ON articles.id = written.article_id
JOIN pull_requests ON pull_requests.id = articles.pull_request_id
JOIN repositories ON repositories.id = written.repository_id
CROSS JOIN LATERAL (
  SELECT author_key(repositories.host, pull_requests.author_login) AS author, '*' AS change_type
  UNION
  SELECT either.author, type
  FROM unnest(written.change_types) AS type
  CROSS JOIN unnest(ARRAY['*', author_key(repositories.host, pull_requests.author_login)]) AS either (author)) AS facets;

-- The database keeps both by itself, however rows of the ranking come and go. Their locks are the last that a transaction
-- takes, always in this order.
CREATE FUNCTION count_ranked_articles() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  step integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  IF NOT EXISTS (SELECT FROM changed) THEN
    RETURN NULL;
  END IF;
  INSERT INTO ranking_totals AS totals (repository_id, language_code, period, articles)
  SELECT repository_id, language_code, period, step * count(*) FROM changed
  GROUP BY repository_id, language_code, period ORDER BY repository_id, language_code, period
  ON CONFLICT (period, repository_id, language_code) DO UPDATE SET articles = totals.articles + excluded.articles;
  INSERT INTO ranking_sums AS sums (language_code, part, period, articles)
  SELECT language_code, get_byte(uuid_send(repository_id), 15) % 16 AS part, period, step * count(*) FROM changed
  GROUP BY language_code, part, period ORDER BY language_code, part, period
  ON CONFLICT (period, language_code, part) DO UPDATE SET articles = sums.articles + excluded.articles;
  RETURN NULL;
END $$;
CREATE TRIGGER count_added_articles AFTER INSERT ON article_rankings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_ranked_articles();
CREATE TRIGGER count_removed_articles AFTER DELETE ON article_rankings
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_ranked_articles();

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
  WHEN ((OLD.host_url, OLD.title, OLD.author_login, OLD.state, OLD.head_sha, OLD.base_sha, OLD.merged_at,
      OLD.has_moved AND OLD.fetched_at < OLD.outdated_at)
    IS DISTINCT FROM (NEW.host_url, NEW.title, NEW.author_login, NEW.state, NEW.head_sha, NEW.base_sha, NEW.merged_at,
      NEW.has_moved AND NEW.fetched_at < NEW.outdated_at))
  EXECUTE FUNCTION tell_pull_request_changed();

CREATE FUNCTION tell_repository_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('public_changed', 'repository:' || COALESCE(NEW.id, OLD.id));
  RETURN NULL;
END $$;
CREATE TRIGGER repository_removed AFTER DELETE ON repositories
  FOR EACH ROW EXECUTE FUNCTION tell_repository_changed();
CREATE TRIGGER repository_changed AFTER UPDATE ON repositories
  FOR EACH ROW
  WHEN ((OLD.owner, OLD.name, OLD.is_private, OLD.unreachable_since, OLD.is_removed, OLD.checked_at <= OLD.revoked_at)
    IS DISTINCT FROM
    (NEW.owner, NEW.name, NEW.is_private, NEW.unreachable_since, NEW.is_removed, NEW.checked_at <= NEW.revoked_at))
  EXECUTE FUNCTION tell_repository_changed();

-- The database keeps that by itself, however articles come and go.
CREATE FUNCTION note_whether_written_about() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE pull_requests SET unused_since = NULL WHERE id = NEW.pull_request_id AND unused_since IS NOT NULL;
  ELSE
    UPDATE pull_requests SET unused_since = now() WHERE id = OLD.pull_request_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER article_came_or_went AFTER INSERT OR DELETE ON articles
  FOR EACH ROW EXECUTE FUNCTION note_whether_written_about();

CREATE FUNCTION leave_parts_of_diff() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE pull_request_diffs SET replaced_at = now() WHERE pull_request_id = OLD.id AND replaced_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER pull_request_went AFTER DELETE ON pull_requests
  FOR EACH ROW EXECUTE FUNCTION leave_parts_of_diff();

-- The database keeps both by itself, however articles come and go. An article comes with the first language that it is written
-- in and goes with the last; those who write about the same pull request take turns, so that there is one first. Locks are taken
-- in this order, after those of the ranking.
CREATE FUNCTION count_written_articles() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  step integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  IF NOT EXISTS (SELECT FROM changed) THEN
    RETURN NULL;
  END IF;
  WITH counted AS (
    SELECT repository_id, language_code, count(*) AS articles FROM changed GROUP BY repository_id, language_code
    UNION ALL
    SELECT repository_id, '*', count(*)
    FROM (SELECT repository_id, article_id, count(*) AS languages FROM changed GROUP BY repository_id, article_id) AS touched
    WHERE (SELECT count(*) FROM article_contents AS standing WHERE standing.article_id = touched.article_id)
      = CASE TG_OP WHEN 'INSERT' THEN languages ELSE 0 END
    GROUP BY repository_id),
  totalled AS (
    INSERT INTO article_totals AS totals (repository_id, language_code, articles)
    SELECT repository_id, language_code, step * articles FROM counted ORDER BY repository_id, language_code
    ON CONFLICT (repository_id, language_code) DO UPDATE SET articles = totals.articles + excluded.articles
    RETURNING repository_id, language_code)
  INSERT INTO article_sums AS sums (language_code, part, articles)
  SELECT language_code, get_byte(uuid_send(repository_id), 15) % 16 AS part, step * sum(counted.articles)
  FROM totalled JOIN counted USING (repository_id, language_code)
  GROUP BY language_code, part ORDER BY language_code, part
  ON CONFLICT (language_code, part) DO UPDATE SET articles = sums.articles + excluded.articles;
  RETURN NULL;
END $$;
CREATE TRIGGER count_written AFTER INSERT ON article_contents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_written_articles();
CREATE TRIGGER count_gone AFTER DELETE ON article_contents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_written_articles();

-- Pages show what the author wrote about a change, so that whoever keeps them is told when that is another.
CREATE FUNCTION tell_description_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('public_changed', 'pullRequest:' || NEW.pull_request_id);
  RETURN NULL;
END $$;
CREATE TRIGGER description_changed AFTER UPDATE ON pull_request_contents
  FOR EACH ROW WHEN (OLD.body IS DISTINCT FROM NEW.body) EXECUTE FUNCTION tell_description_changed();

-- By their hashes, without the numbers of those that are equal. The standfirst is none of them: it sums up what the others say.
CREATE FUNCTION sentence_ids(body jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(DISTINCT split_part(id #>> '{}', '-', 1)), '{}') FROM (
    SELECT jsonb_path_query(body, '$.background[*].id') AS id
    UNION ALL SELECT jsonb_path_query(body, '$.mainChanges[*].statements[*].id')
    UNION ALL SELECT jsonb_path_query(body, '$.notablePoints[*].statements[*].id')
    UNION ALL SELECT jsonb_path_query(body, '$.also[*].statement.id')) AS told
$$;

CREATE FUNCTION keep_what_was_read() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  told text[];
BEGIN
  IF NOT EXISTS (
    SELECT FROM read_marks AS marks WHERE marks.article_id = NEW.article_id AND marks.language_code = NEW.language_code) THEN
    RETURN NULL;
  END IF;
  told := sentence_ids(NEW.body::jsonb);
  INSERT INTO read_revisions (article_id, language_code, revision, sentence_ids)
  VALUES (OLD.article_id, OLD.language_code, OLD.revision, sentence_ids(OLD.body::jsonb)) ON CONFLICT DO NOTHING;
  UPDATE read_marks AS marks SET revision = NEW.revision
  FROM read_revisions AS revisions
  WHERE marks.article_id = NEW.article_id AND marks.language_code = NEW.language_code
    AND revisions.article_id = marks.article_id AND revisions.language_code = marks.language_code
    AND revisions.revision = marks.revision AND revisions.sentence_ids @> told;
  DELETE FROM read_revisions AS revisions
  WHERE revisions.article_id = NEW.article_id AND revisions.language_code = NEW.language_code
    AND NOT EXISTS (
      SELECT FROM read_marks AS marks
      WHERE marks.article_id = revisions.article_id AND marks.language_code = revisions.language_code
        AND marks.revision = revisions.revision);
  RETURN NULL;
END $$;
CREATE TRIGGER rewritten AFTER UPDATE ON article_contents
  FOR EACH ROW WHEN (OLD.revision <> NEW.revision) EXECUTE FUNCTION keep_what_was_read();

-- Brings all of it up to what some articles say now. Locks are taken after those of other counts, and in the order of the keys;
-- an author whose name changes meanwhile is waited for. What counts nothing any more goes, so that no name stays behind.
CREATE FUNCTION list_facets(touched uuid[], about uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  changed facet_totals[];
BEGIN
  PERFORM FROM pull_requests WHERE id IN (SELECT pull_request_id FROM articles WHERE id = ANY (touched)) ORDER BY id FOR SHARE;
  UPDATE article_totals AS totals
  SET newest_at = (SELECT max(listed_at) FROM articles WHERE articles.repository_id = totals.repository_id)
  WHERE totals.language_code = '*' AND totals.repository_id = ANY (about);
  WITH wanted AS MATERIALIZED (SELECT * FROM facets_as_written WHERE article_id = ANY (touched)),
  gone AS (
    DELETE FROM article_facets AS facets WHERE article_id = ANY (touched) AND NOT EXISTS (
      SELECT FROM wanted WHERE wanted.article_id = facets.article_id AND wanted.language_code = facets.language_code
        AND wanted.author = facets.author AND wanted.change_type = facets.change_type)
    RETURNING repository_id, author, change_type, language_code),
  moved AS (
    UPDATE article_facets AS facets SET listed_at = wanted.listed_at FROM wanted
    WHERE wanted.article_id = facets.article_id AND wanted.language_code = facets.language_code
      AND wanted.author = facets.author AND wanted.change_type = facets.change_type AND wanted.listed_at <> facets.listed_at),
  added AS (
    INSERT INTO article_facets SELECT * FROM wanted ON CONFLICT DO NOTHING
    RETURNING repository_id, author, change_type, language_code),
  steps AS (
    SELECT repository_id, author, change_type, language_code, sum(step)::integer AS articles
    FROM (SELECT *, -1 AS step FROM gone UNION ALL SELECT *, 1 FROM added) AS either
    GROUP BY repository_id, author, change_type, language_code HAVING sum(step) <> 0)
  SELECT array_agg(ROW(repository_id, author, change_type, language_code, articles)::facet_totals
    ORDER BY repository_id, author, change_type, language_code) INTO changed FROM steps;
  IF changed IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO facet_totals AS totals (repository_id, author, change_type, language_code, articles)
  SELECT * FROM unnest(changed) ORDER BY repository_id, author, change_type, language_code
  ON CONFLICT (repository_id, author, change_type, language_code) DO UPDATE SET articles = totals.articles + excluded.articles;
  INSERT INTO facet_sums AS sums (author, change_type, language_code, part, articles)
  SELECT author, change_type, language_code, get_byte(uuid_send(repository_id), 15) % 16 AS part, sum(articles) FROM unnest(changed)
  GROUP BY author, change_type, language_code, part ORDER BY author, change_type, language_code, part
  ON CONFLICT (author, change_type, language_code, part) DO UPDATE SET articles = sums.articles + excluded.articles;
  DELETE FROM facet_totals AS totals USING unnest(changed) AS step
  WHERE step.articles < 0 AND totals.articles = 0 AND totals.repository_id = step.repository_id
    AND totals.author = step.author AND totals.change_type = step.change_type AND totals.language_code = step.language_code;
  DELETE FROM facet_sums AS sums USING unnest(changed) AS step
  WHERE step.articles < 0 AND sums.articles = 0 AND sums.author = step.author AND sums.change_type = step.change_type
    AND sums.language_code = step.language_code AND sums.part = get_byte(uuid_send(step.repository_id), 15) % 16;
END $$;

CREATE FUNCTION list_facets_of_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM changed) THEN
    PERFORM list_facets(
      ARRAY(SELECT DISTINCT article_id FROM changed), ARRAY(SELECT DISTINCT repository_id FROM changed));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER list_written AFTER INSERT ON article_contents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION list_facets_of_changed();
CREATE TRIGGER list_gone AFTER DELETE ON article_contents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION list_facets_of_changed();

CREATE FUNCTION list_facets_of_article() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_facets(ARRAY[NEW.article_id], ARRAY[NEW.repository_id]);
  RETURN NULL;
END $$;
CREATE TRIGGER list_rewritten AFTER UPDATE OF change_types, listed_at ON article_contents
  FOR EACH ROW WHEN ((OLD.change_types, OLD.listed_at) IS DISTINCT FROM (NEW.change_types, NEW.listed_at))
  EXECUTE FUNCTION list_facets_of_article();

CREATE FUNCTION list_facets_of_author() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_facets(ARRAY(SELECT id FROM articles WHERE pull_request_id = NEW.id), '{}');
  RETURN NULL;
END $$;
CREATE TRIGGER author_renamed AFTER UPDATE OF author_login ON pull_requests
  FOR EACH ROW WHEN (OLD.author_login IS DISTINCT FROM NEW.author_login) EXECUTE FUNCTION list_facets_of_author();

-- What depends on more than the text is made anew once that changes; until then such articles are not found.
CREATE FUNCTION forget_words_of_repository() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE article_search SET words = NULL WHERE words @@ quote_literal('=r' || NEW.id)::tsquery;
  RETURN NULL;
END $$;
CREATE TRIGGER words_changed AFTER UPDATE OF is_private, owner, name ON repositories
  FOR EACH ROW WHEN ((OLD.is_private, OLD.owner, OLD.name) IS DISTINCT FROM (NEW.is_private, NEW.owner, NEW.name))
  EXECUTE FUNCTION forget_words_of_repository();

CREATE FUNCTION forget_words_of_author() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE article_search SET words = NULL
  WHERE article_id IN (SELECT id FROM articles WHERE pull_request_id = NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER words_of_author_changed AFTER UPDATE OF author_login ON pull_requests
  FOR EACH ROW WHEN (OLD.author_login IS DISTINCT FROM NEW.author_login) EXECUTE FUNCTION forget_words_of_author();

CREATE FUNCTION tell_release_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('public_changed', 'repository:' || COALESCE(NEW.repository_id, OLD.repository_id));
  RETURN NULL;
END $$;
CREATE TRIGGER release_changed AFTER INSERT OR UPDATE OR DELETE ON release_changes
  FOR EACH ROW EXECUTE FUNCTION tell_release_changed();

-- Lists are ordered by when a pull request was merged, or else created on its host: `listed_at`. Each table that lists are read from
-- has it, for its index, and triggers keep it up to date. Nothing that an article shows changes, so caches need no notification.
-- Hosts merge several at once, at the same second: their numbers, as microseconds below the host's precision, order these.
CREATE FUNCTION listing_moment(pull pull_requests) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(pull.merged_at, pull.host_created_at) + pull.number % 1000 * interval '1 microsecond'
$$;

-- The lock keeps the pull request from being merged by another transaction before the article is visible to it.
CREATE FUNCTION list_by_merge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT listing_moment(pull_requests) INTO NEW.listed_at FROM pull_requests WHERE id = NEW.pull_request_id FOR NO KEY UPDATE;
  RETURN NEW;
END $$;
CREATE TRIGGER listed BEFORE INSERT ON articles FOR EACH ROW EXECUTE FUNCTION list_by_merge();

CREATE FUNCTION list_with_article() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT listed_at INTO NEW.listed_at FROM articles WHERE id = NEW.article_id;
  RETURN NEW;
END $$;
CREATE TRIGGER listed BEFORE INSERT ON article_contents FOR EACH ROW EXECUTE FUNCTION list_with_article();
CREATE TRIGGER listed BEFORE INSERT ON article_search FOR EACH ROW EXECUTE FUNCTION list_with_article();

-- The update of `article_contents` also brings the lists of authors and types up to date, by `list_rewritten`.
CREATE FUNCTION list_merged() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz := listing_moment(NEW);
BEGIN
  UPDATE articles SET listed_at = moment WHERE pull_request_id = NEW.id;
  UPDATE article_contents SET listed_at = moment WHERE article_id IN (SELECT id FROM articles WHERE pull_request_id = NEW.id);
  UPDATE article_search SET listed_at = moment WHERE article_id IN (SELECT id FROM articles WHERE pull_request_id = NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER merged AFTER UPDATE OF merged_at, host_created_at ON pull_requests
  FOR EACH ROW
  WHEN (coalesce(OLD.merged_at, OLD.host_created_at) IS DISTINCT FROM coalesce(NEW.merged_at, NEW.host_created_at))
  EXECUTE FUNCTION list_merged();

-- A description that was edited is no longer found by its old words.
CREATE FUNCTION forget_words_of_description() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE article_search SET words = NULL
  WHERE article_id IN (SELECT id FROM articles WHERE pull_request_id = NEW.pull_request_id);
  RETURN NULL;
END $$;
CREATE TRIGGER words_of_description_changed AFTER UPDATE OF body ON pull_request_contents
  FOR EACH ROW WHEN (OLD.body IS DISTINCT FROM NEW.body) EXECUTE FUNCTION forget_words_of_description();

ALTER SEQUENCE article_search_places OWNED BY article_search.place;

INSERT INTO ranking_windows (period) VALUES ('all'), ('daily'), ('monthly'), ('weekly'), ('yearly');
INSERT INTO housekeeping (due_at) VALUES (now());
