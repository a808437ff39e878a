-- The model that operators set in the browser or over the API; without a row, that of the environment or none.
CREATE TABLE model_settings (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Provider, model and address, with the encrypted key of that provider and address.
  writer jsonb NOT NULL,
  reader jsonb,
  limits jsonb NOT NULL,
  changed_by uuid REFERENCES users ON DELETE SET NULL,
  changed_at timestamptz NOT NULL
);
