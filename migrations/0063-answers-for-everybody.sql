-- Answers about the samples were asked by no user.
ALTER TABLE answers ALTER COLUMN user_id DROP NOT NULL;
