/** `npm run k8s:check`: renders every overlay and checks it against the schemas and our rules. */
import { join } from 'node:path';
import { converterFaults } from './converter-rules.ts';
import { connectionFaults, databaseFaults, ownerFaults } from './database-rules.ts';
import { environmentFaults } from './env-rules.ts';
import { innerFaults } from './inner-rules.ts';
import { addressFaults, certificateFaults, policyFaults, portFaults } from './network-rules.ts';
import type { Objects } from './objects.ts';
import { k8sFolder, overlays, render } from './render.ts';
import { schemaFaults } from './schemas.ts';
import { credentialFaults, sharingFaults } from './secret-rules.ts';
import { workloadFaults } from './workload-rules.ts';

const RULES = [
  workloadFaults,
  policyFaults,
  addressFaults,
  certificateFaults,
  portFaults,
  innerFaults,
  credentialFaults,
  databaseFaults,
  ownerFaults,
  connectionFaults,
  converterFaults,
  sharingFaults,
  environmentFaults,
];

/** Returns the faults by our own rules alone. */
export const ruleFaults = (objects: Objects): string[] => RULES.flatMap((faultsOf) => faultsOf(objects));

/** Returns one line per fault of a rendered overlay. */
export async function faultsOf(objects: Objects): Promise<string[]> {
  const bySchema = objects.map(async (object) =>
    (await schemaFaults(object)).map((fault) => `${object.kind} ${object.metadata.name}: ${fault}`),
  );
  return [...(await Promise.all(bySchema)).flat(), ...ruleFaults(objects)];
}

if (import.meta.main) {
  for (const overlay of overlays) {
    const objects = await render(join(k8sFolder, 'overlays', overlay));
    const faults = await faultsOf(objects);
    process.stdout.write(`${overlay}: ${objects.length} objects, ${faults.length} faults\n`);
    for (const fault of faults) process.stdout.write(`  ${fault}\n`);
    if (faults.length > 0) process.exitCode = 1;
  }
}
