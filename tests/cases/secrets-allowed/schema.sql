BEGIN;
CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL UNIQUE,
  password VARCHAR(255) NOT NULL,
  password_hash char(60) NOT NULL DEFAULT '$2b$10${x:22}',
  api_key_id bigint REFERENCES api_keys (id),
  reset_token text,
  token_expires_at timestamptz DEFAULT '2024-01-01T00:00:00Z'
);
CREATE INDEX users_reset_token_idx ON users (reset_token) WHERE reset_token IS NOT NULL;
INSERT INTO migrations (id, checksum) VALUES ('20240101120000_add_secret_token', '{hex:64}');
ALTER USER app WITH PASSWORD :'app_password';
SELECT secret = md5(concat(token, 'salt')) FROM t WHERE password = crypt($1, password_hash);
COMMIT;
