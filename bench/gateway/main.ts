/** The gateway: `peers` beside other proxies, `overload` at twice of its capacity, `slow-clients` beside slow uploads. */
import { runParts } from '../lib/parts.ts';
import { measureOverload } from './overload.ts';
import { measurePeers } from './peers.ts';
import { measureSlowClients } from './slow-clients.ts';

await runParts('gateway', {
  peers: measurePeers,
  overload: measureOverload,
  'slow-clients': measureSlowClients,
});
