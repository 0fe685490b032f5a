# PostgreSQL from npm's binaries on Debian's packages, without a registry.
ARG BASE
FROM ${BASE}
RUN useradd --system --user-group --home-dir /var/lib/postgresql --create-home postgres
COPY native /opt/postgres
COPY postgres.sh /usr/local/bin/postgres.sh
ENV PATH=/opt/postgres/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ENTRYPOINT ["/usr/local/bin/postgres.sh"]
