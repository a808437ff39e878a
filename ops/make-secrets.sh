#!/bin/sh
# Makes secrets for compose.yaml, once: a password for PostgreSQL, and the keys that sign and seal tokens. What is there is kept.
# Usage: ops/make-secrets.sh https://pullquote.example.org [FOLDER]
set -eu

url=${1:?Pass the URL that people will use, such as https://pullquote.example.org}
folder=${2:-secrets}
random() { head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n'; }

for name in postgres.env proxy.env pullquote.env; do
  if [ -e "$folder/$name" ]; then
    echo "$folder/$name is there already, and stays as it is. Nothing was made: name another folder, or move that one away." >&2
    exit 1
  fi
done
umask 077
mkdir -p "$folder"
password=$(random)
printf 'POSTGRES_PASSWORD=%s\n' "$password" > "$folder/postgres.env"
printf 'PUBLIC_URL=%s\n' "$url" > "$folder/proxy.env"
cat > "$folder/pullquote.env" <<END
PUBLIC_URL=$url
DATABASE_URL=postgres://pullquote:$password@postgres:5432/pullquote
SECRET_KEYS=1:$(random)
END
