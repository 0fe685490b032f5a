import { loadConfig } from '@karaar/base/config';
import { keyFaults, openKey } from '@karaar/sealing';
import { configuredKey, SealConfig } from '@karaar/service-documents/ops';
import { daysUntil, fault, ok, tried, warning, type Check } from './finding.ts';

const WARN_DAYS = 60;
const PUT_IN = '`karaar rotate-seal` checks a bought one and puts it in.';

/** Opens the sealing key as documents does, checks its certificates and seals a page. */
export const checkSealKey: Check = (env) =>
  tried('seal', PUT_IN, async () => {
    const source = await configuredKey(loadConfig(SealConfig, env));
    if (!source)
      return warning(
        'seal',
        'is not checked, because neither SEAL_P12 nor SEAL_PKCS11_MODULE is set here',
        'Look at `seal_certificate_expires_at_seconds`, or run `doctor` with the key.',
      );
    const key = await openKey(source);
    const { signer, notAfter, ownAuthority } = key.identity;
    const until = `${signer}, valid until ${notAfter.toISOString().slice(0, 10)}`;
    const faults = await keyFaults(key);
    if (faults.length > 0)
      return faults.map(({ cause, remedy }) => fault('seal', `${until}: ${cause}`, remedy));
    if (daysUntil(notAfter) < WARN_DAYS) return warning('seal', until, `Order the next one. ${PUT_IN}`);
    if (ownAuthority)
      return warning('seal', `${until}, is of its own authority, which PDF readers do not know`, PUT_IN);
    return ok('seal', until);
  });
