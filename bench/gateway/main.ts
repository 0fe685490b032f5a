import { runParts } from '../lib/parts.ts';
import { measureCosts } from './costs.ts';
import { measureOverload } from './overload.ts';
import { measurePeers } from './peers.ts';
import { measureSlowClients } from './slow-clients.ts';

await runParts('gateway', {
  peers: measurePeers,
  costs: measureCosts,
  overload: measureOverload,
  'slow-clients': measureSlowClients,
});
