# The servers beside the product, from Debian's packages; started by their names.
# moto answers Amazon's protocol of files; PgBouncer stands for CloudNativePG's pooler.
ARG BASE
FROM ${BASE}
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    caddy nats-server pgbouncer python3-moto python3-flask python3-flask-cors valkey-sentinel valkey-server \
  && rm -rf /var/lib/apt/lists/*
