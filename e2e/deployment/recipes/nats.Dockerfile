# As the official image of NATS: arguments alone start the server.
ARG BASE
FROM ${BASE}
ENTRYPOINT ["nats-server"]
