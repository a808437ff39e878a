-- Which folder of GIT_ROOTS a clone was added under, as its real path. Null for mirrors, and for clones from before this was stored:
-- a start whose GIT_ROOTS contains them stores it.
ALTER TABLE added_repositories ADD COLUMN root text;
