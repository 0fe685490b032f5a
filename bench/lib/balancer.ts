/** Balances connections like a Kubernetes Service: a new one goes to a ready endpoint, and open ones stay. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type Balancer = {
  readonly url: string;
  add(port: number): void;
  /** Sends no new connections to this endpoint; open ones continue. */
  remove(port: number): void;
  close(): void;
};

/** Listens on a port of loopback; 0 chooses a free one. */
export async function startBalancer(port = 0): Promise<Balancer> {
  const endpoints: number[] = [];
  const open = new Set<Socket>();
  let next = 0;
  const server = createServer({ noDelay: true }, (client) => {
    next += 1;
    const endpoint = endpoints[next % Math.max(1, endpoints.length)];
    if (endpoint === undefined) {
      client.destroy();
      return;
    }
    const upstream = connect({ port: endpoint, host: '127.0.0.1', noDelay: true });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    }
    client.pipe(upstream).pipe(client);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (endpoint) => void endpoints.push(endpoint),
    remove: (endpoint) => void endpoints.splice(endpoints.indexOf(endpoint), 1),
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
