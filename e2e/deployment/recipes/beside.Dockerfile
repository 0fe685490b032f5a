# What an installation has beside the manifests, of Debian's packages: moto answers Amazon's protocol of files, Caddy ends TLS.
ARG BASE
FROM ${BASE}
RUN apt-get update \
  && apt-get install -y --no-install-recommends caddy python3-moto python3-flask python3-flask-cors \
  && rm -rf /var/lib/apt/lists/*
