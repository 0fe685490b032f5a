/** Requests that two parsers may read differently, each followed by what others ask for over the same connections. */
import type { Finding, ProductCheck } from '../check.ts';
import { attack, someOf, told, type AttackCounters } from './smuggling/attack.ts';
import { corpus } from './smuggling/corpus.ts';
import type { Framing } from './smuggling/framing.ts';
import { productField, recordedField, type Field } from './smuggling/fields.ts';

const RECORDED_MS = 300_000;
const PRODUCT_MS = 300_000;

/** Of the services themselves, which take longer to answer. */
const EVERY = 3;

/** Sends framings to a gateway, and says how it went. */
async function tried(
  name: string,
  field: Field,
  framings: readonly Framing[],
  forMs: number,
): Promise<Finding[]> {
  try {
    const counters = await attack(field, framings, Date.now() + forMs);
    process.stdout.write(`${name}: ${summary(counters)}\n`);
    return told(counters).map(({ where, what }) => ({ where: `${name}: ${where}`, what }));
  } finally {
    await field.stop();
  }
}

function summary({ framings, untried, broken, seconds }: AttackCounters): string {
  const worked = new Set(broken.map(({ framing }) => framing)).size;
  const foreign = broken.filter(({ kind }) => kind === 'foreign answer').length;
  return `${framings - untried} of ${framings} framings in ${seconds.toFixed(0)} s, each followed by ordinary requests: ${worked} worked, ${foreign} foreign answers`;
}

export const smuggling: ProductCheck = {
  name: 'smuggling',
  holds: 'no request hides another: every answer is of who asked, and ambiguous framings are refused',
  run: async ({ inside }) => [
    ...(await tried('recorded', await recordedField(inside.redisUrl), corpus(), RECORDED_MS)),
    ...(await tried('product', await productField(inside), someOf(corpus(), EVERY), PRODUCT_MS)),
  ],
};
