import { adminDoor } from './admin-door.ts';
import { authorization } from './authorization.ts';
import { backups } from './backups.ts';
import type { Check } from './check.ts';
import { contacts } from './contacts.ts';
import { converter } from './converter.ts';
import { dependencies } from './dependencies.ts';
import { exposure } from './exposure.ts';
import { fileLinks } from './file-links.ts';
import { fuzzing, type FuzzOptions } from './fuzz.ts';
import { headerRules } from './headers.ts';
import { steps } from './paths.ts';
import { invitationTexts } from './invitation-texts.ts';
import { parsers } from './parsers.ts';
import { passkeys } from './passkeys.ts';
import { price } from './price.ts';
import { rendering } from './rendering.ts';
import { secrets } from './secrets.ts';
import { smuggling } from './smuggling.ts';
import { sockets } from './sockets.ts';
import { tables } from './tables.ts';
import { takeover } from './takeover.ts';
import { uploads } from './uploads.ts';

/** All checks of the run, the quick ones first. */
export const checksOf = (options: FuzzOptions): Check[] => [
  secrets,
  dependencies,
  exposure,
  parsers(options.seed),
  headerRules,
  steps,
  authorization,
  contacts,
  adminDoor,
  passkeys,
  fileLinks,
  invitationTexts,
  price,
  backups,
  takeover,
  tables,
  converter,
  sockets,
  smuggling,
  uploads,
  rendering,
  fuzzing(options),
];
