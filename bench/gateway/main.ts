import { runParts } from '../lib/parts.ts';
import { measureOverload } from './overload.ts';
import { measurePeers } from './peers.ts';
import { measureSlowClients } from './slow-clients.ts';

await runParts('gateway', {
  peers: measurePeers,
  overload: measureOverload,
  'slow-clients': measureSlowClients,
});
