/** Reports the expiry of the sealing certificate: a metric for the alarm, and a daily warning in the log. */
import type { Logger } from '@karaar/observability/logging';
import { gauge } from '@karaar/observability/telemetry';
import type { SealIdentity } from '@karaar/sealing';

const DAY_MS = 24 * 3600 * 1000;
/** Authorities take weeks to check a company. */
const WARN_DAYS = 60;
/** From here on the log says it as an error; the alerts have the same steps. */
const URGENT_DAYS = 7;

const expiry = gauge({
  name: 'seal_certificate_expires_at_seconds',
  help: 'When the certificate that seals ends, in seconds since 1970',
});

/** Returns the whole days until the certificate expires; negative after that. */
export const daysLeft = (identity: Pick<SealIdentity, 'notAfter'>, now: Date): number =>
  Math.floor((identity.notAfter.getTime() - now.getTime()) / DAY_MS);

export const endsSoon = (left: number): boolean => left < WARN_DAYS;

/** Sets the metric, and warns now and daily. Returns a function that stops the warnings. */
export function watchSealExpiry(identity: SealIdentity, logger: Pick<Logger, 'warn' | 'error'>): () => void {
  expiry.set(identity.notAfter.getTime() / 1000);
  const warn = (): void => {
    const left = daysLeft(identity, new Date());
    if (endsSoon(left))
      logger[left < URGENT_DAYS ? 'error' : 'warn'](
        { daysLeft: left, notAfter: identity.notAfter },
        'the sealing certificate ends soon: replace it by `karaar rotate-seal`',
      );
  };
  warn();
  const timer = setInterval(warn, DAY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
