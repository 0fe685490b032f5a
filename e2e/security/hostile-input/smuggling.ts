/** HTTP request smuggling: requests that two parsers may read differently, each followed by requests of others. */
import type { Finding, ProductCheck } from '../check.ts';
import { attack, someOf, type Framing } from './smuggling/attack.ts';
import { corpus } from './smuggling/corpus.ts';
import { productField, recordedField, type OpenField } from './smuggling/fields.ts';

const LIMIT_MS = 300_000;
/** The product answers more slowly than the recorder. */
const EVERY = 3;

async function tried(name: string, field: OpenField, framings: readonly Framing[]): Promise<Finding[]> {
  try {
    const found = await attack(field, framings, LIMIT_MS);
    process.stdout.write(`${name}: ${framings.length} framings, ${found.length} faults\n`);
    return found.map(({ where, what }) => ({ where: `${name}: ${where}`, what }));
  } finally {
    await field.stop();
  }
}

export const smuggling: ProductCheck = {
  name: 'smuggling',
  holds: 'every caller gets the answer to its own request, and ambiguous framings are refused',
  run: async ({ inside }) => [
    ...(await tried('recorded', await recordedField(inside.redisUrl), corpus())),
    ...(await tried('product', await productField(inside), someOf(corpus(), EVERY))),
  ],
};
