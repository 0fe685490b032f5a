/** `npm run k8s:check`: renders every overlay and checks it against the schemas and our rules. */
import { join } from 'node:path';
import { connectionFaults } from './connection-rules.ts';
import { converterFaults } from './converter-rules.ts';
import { databaseFaults, ownerFaults } from './database-rules.ts';
import { environmentFaults } from './env-rules.ts';
import { innerFaults } from './inner-rules.ts';
import { addressFaults, certificateFaults, policyFaults } from './network-rules.ts';
import type { Objects } from './objects.ts';
import { portFaults } from './port-rules.ts';
import { k8sFolder, overlays, render } from './render.ts';
import { schemaFaults } from './schemas.ts';
import { danglingFaults, workloadFaults } from './workload-rules.ts';
import { credentialFaults, sharingFaults } from './secret-rules.ts';

/** Returns one line per fault of a rendered overlay. */
export async function faultsOf(objects: Objects): Promise<string[]> {
  const bySchema = await Promise.all(
    objects.map(async (object) =>
      (await schemaFaults(object)).map((fault) => `${object.kind} ${object.metadata.name}: ${fault}`),
    ),
  );
  return [...bySchema.flat(), ...ruleFaults(objects)];
}

/** Returns the faults by our own rules alone. */
export function ruleFaults(objects: Objects): string[] {
  return [
    ...workloadFaults(objects),
    ...danglingFaults(objects),
    ...policyFaults(objects),
    ...addressFaults(objects),
    ...certificateFaults(objects),
    ...portFaults(objects),
    ...innerFaults(objects),
    ...credentialFaults(objects),
    ...databaseFaults(objects),
    ...ownerFaults(objects),
    ...connectionFaults(objects),
    ...converterFaults(objects),
    ...sharingFaults(objects),
    ...environmentFaults(objects),
  ];
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
