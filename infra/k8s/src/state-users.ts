/** `node infra/k8s/src/state-users.ts`: writes the users of NATS and Valkey from the contracts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { natsUsers, passwordVariable } from '@karaar/contracts/broker/nats-conf';
import {
  REDIS_USERS,
  redisPasswordVariable,
  redisUser,
  SENTINEL_RULES,
} from '@karaar/contracts/redis/rights';
import { k8sFolder } from './render.ts';

const GENERATED = '# Written by infra/k8s/src/state-users.ts from libs/contracts.\n';

/** Returns the files in `components/state`. Passwords are environment variables of the server. */
export function stateUsers(): Record<string, string> {
  const lines = (rules?: string): string =>
    REDIS_USERS.map((user) => `${redisUser(user, `@${redisPasswordVariable(user)}@`, rules)}\n`).join('');
  return {
    'nats-users.conf': `${GENERATED}${natsUsers((user) => `$${passwordVariable(user)}`)}`,
    'valkey-users.conf': `${GENERATED}${lines()}`,
    'sentinel-users.conf': `${GENERATED}${lines(SENTINEL_RULES)}`,
  };
}

if (import.meta.main)
  for (const [name, text] of Object.entries(stateUsers()))
    writeFileSync(join(k8sFolder, 'components/state', name), text);
