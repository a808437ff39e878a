# syntax=docker/dockerfile:1
# The service, for amd64 and arm64: docker build -t pullquote .
# It runs as a user without rights on a root that can be read-only: it writes to /data, and to /tmp.

FROM node:24.21.0-trixie-slim AS build
WORKDIR /checkout
COPY package.json package-lock.json .npmrc ./
COPY scripts/client-types/package.json scripts/client-types/
RUN npm ci --ignore-scripts
COPY . .
RUN ops/make-image-root.sh /image

FROM node:24.21.0-trixie-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends git ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node -m 0700 /data /data/mirrors
COPY --from=build /image /app
# Compiled code is kept where it can be written.
ENV LISTEN=0.0.0.0 \
  PORT=8080 \
  PULLQUOTE_DATA=/data \
  NODE_COMPILE_CACHE=/tmp/pullquote-compiled
WORKDIR /app
USER node
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["node", "/app/bin/pullquote.cjs"]
CMD ["serve"]
HEALTHCHECK --interval=15s --timeout=10s --start-period=60s --retries=3 \
  CMD ["node", "/app/bin/pullquote.cjs", "healthcheck"]
