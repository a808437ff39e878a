#!/bin/sh
# Makes secrets for compose.yaml, once: passwords for PostgreSQL, and the keys that sign and seal tokens. What is there is kept.
# Usage: ops/make-secrets.sh https://pullquote.example.org [FOLDER [HOST:PORT,…]]
# The hosts are those of PostgreSQL, of which one takes writes: postgres-1:5432,postgres-2:5432 for compose.ha.yaml.
set -eu

url=${1:?Pass the URL that people will use, such as https://pullquote.example.org}
folder=${2:-secrets}
hosts=${3:-postgres:5432}
random() { head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n'; }

for name in postgres.env proxy.env pullquote.env; do
  if [ -e "$folder/$name" ]; then
    echo "$folder/$name is there already, and stays as it is. Nothing was made: name another folder, or move that one away." >&2
    exit 1
  fi
done
case $hosts in
  *,*) attributes='?target_session_attrs=read-write' ;;
  *) attributes='' ;;
esac
umask 077
mkdir -p "$folder"
password=$(random)
cat > "$folder/postgres.env" <<END
POSTGRES_PASSWORD=$password
PATRONI_SUPERUSER_PASSWORD=$password
PATRONI_REPLICATION_PASSWORD=$(random)
PATRONI_RESTAPI_PASSWORD=$(random)
END
printf 'PUBLIC_URL=%s\n' "$url" > "$folder/proxy.env"
cat > "$folder/pullquote.env" <<END
PUBLIC_URL=$url
DATABASE_URL=postgres://pullquote:$password@$hosts/pullquote$attributes
SECRET_KEYS=1:$(random)
END
