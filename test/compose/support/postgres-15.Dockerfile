# PostgreSQL 15 of Debian under an image's name for the server that has no client of its version.
ARG POSTGRES_IMAGE
FROM ${POSTGRES_IMAGE}
RUN apt-get update -qq \
 && mkdir -p /etc/postgresql-common && echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf \
 && apt-get install -y -qq --no-install-recommends postgresql-15 \
 && rm -rf /opt/postgres && mkdir /opt/postgres && ln -s /usr/lib/postgresql/15/bin /opt/postgres/bin
