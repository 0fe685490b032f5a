# The servers outside the manifests, from Debian's packages: moto is an S3 server, Caddy a TLS proxy.
ARG BASE
FROM ${BASE}
RUN apt-get update \
  && apt-get install -y --no-install-recommends caddy python3-moto python3-flask python3-flask-cors \
  && rm -rf /var/lib/apt/lists/*
