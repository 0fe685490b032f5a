/**
 * `npm run generate -- service NAME | feature SERVICE NAME | migration SERVICE NAME`: makes code in the
 * house's style, which compiles, lints and passes its own tests, and says what is left to a hand.
 */
import { join } from 'node:path';
import { planFeature } from './generate/feature.ts';
import { planMigration } from './generate/migration.ts';
import { carryOut, report, type Plan } from './generate/plan.ts';
import { Refusal } from './generate/refusal.ts';
import { planService } from './generate/service.ts';

const USAGE = `Usage:
  npm run generate -- service NAME             a new service, such as "reminders"
  npm run generate -- feature SERVICE NAME     a new feature of a service, such as "cms announcements"
  npm run generate -- migration SERVICE NAME   a new migration of a service, such as "cms add-author"`;

const root = join(import.meta.dirname, '..');

function plan([what, ...args]: readonly string[]): Plan {
  const [first = '', second = ''] = args;
  const now = new Date();
  if (what === 'service' && args.length === 1) return planService(root, first, now);
  if (what === 'feature' && args.length === 2) return planFeature(root, first, second, now);
  if (what === 'migration' && args.length === 2) return planMigration(root, first, second, now);
  throw new Refusal(USAGE);
}

try {
  const wanted = plan(process.argv.slice(2));
  await carryOut(root, wanted);
  console.log(report(wanted));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
