import { connect, type NatsConnection } from '@nats-io/transport-node';

/** A bare connection for stand-ins, which finds a broker again that was killed; user and password are in the URL. */
export function connectTo(natsUrl: string): Promise<NatsConnection> {
  const { host, username, password } = new URL(natsUrl);
  const forEver = { maxReconnectAttempts: -1, reconnectTimeWait: 50 };
  return connect({ servers: host, ...forEver, ...(username ? { user: username, pass: password } : {}) });
}
