import { adminDoor } from './access/admin-door.ts';
import { authorization } from './access/authorization.ts';
import { backups } from './inner-walls/backups.ts';
import type { Check } from './check.ts';
import { contacts } from './abuse/contacts.ts';
import { converter } from './inner-walls/converter.ts';
import { dependencies } from './inner-walls/dependencies.ts';
import { exposure } from './inner-walls/exposure.ts';
import { fileLinks } from './access/file-links.ts';
import { fuzzing, type FuzzOptions } from './hostile-input/fuzz.ts';
import { headerRules } from './hostile-input/headers.ts';
import { steps } from './hostile-input/paths.ts';
import { invitationTexts } from './abuse/invitation-texts.ts';
import { logs } from './inner-walls/logs.ts';
import { parsers } from './hostile-input/parsers.ts';
import { passkeys } from './access/passkeys.ts';
import { price } from './abuse/price.ts';
import { rendering } from './hostile-input/rendering.ts';
import { secrets } from './inner-walls/secrets.ts';
import { smuggling } from './hostile-input/smuggling.ts';
import { sockets } from './access/sockets.ts';
import { tables } from './inner-walls/tables.ts';
import { takeover } from './inner-walls/takeover.ts';
import { uploads } from './hostile-input/uploads.ts';

/** All checks of the run, the quick ones first, and last the look at what the others have left. */
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
  logs,
];
