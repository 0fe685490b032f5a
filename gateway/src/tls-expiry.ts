/** A metric for the expiry of the public TLS certificate. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Logger } from '@karaar/platform/logging';
import { gaugeOnScrape } from '@karaar/platform/telemetry';

/**
 * Makes the end of a certificate a metric, in seconds since 1970. The file is read whenever the metrics are, so that a
 * renewed one counts at once; while it cannot be read there is no value, and the reason is in the log, once per reason.
 *
 * @param file PEM; of a chain the first certificate counts, which is the one that browsers look at
 */
export function showTlsExpiry(file: string, logger: Pick<Logger, 'warn'>): void {
  let told: string | undefined;
  gaugeOnScrape(
    {
      name: 'gateway_tls_certificate_expires_at_seconds',
      help: 'When the certificate by which browsers reach the gateway ends, in seconds since 1970',
    },
    async () => {
      try {
        const ends = new X509Certificate(await readFile(file)).validToDate;
        told = undefined;
        return { '': ends.getTime() / 1000 };
      } catch (err) {
        const reason = String(err);
        if (reason !== told)
          logger.warn({ err, file }, 'the TLS certificate cannot be read: nothing warns of its end');
        told = reason;
        throw err;
      }
    },
  );
}
