# Starts the server with the given arguments, like the official image of NATS.
ARG BASE
FROM ${BASE}
ENTRYPOINT ["nats-server"]
