import { connect, type NatsConnection } from '@nats-io/transport-node';

/**
 * Opens a plain connection for stubs, which reconnects to a killed broker; user and password are in the URL.
 */
export function connectTo(natsUrl: string): Promise<NatsConnection> {
  const { host, username, password } = new URL(natsUrl);
  const forEver = { maxReconnectAttempts: -1, reconnectTimeWait: 50 };
  return connect({ servers: host, ...forEver, ...(username ? { user: username, pass: password } : {}) });
}
