import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Logger } from '@karaar/observability/logging';
import { gaugeOnScrape } from '@karaar/observability/telemetry';

/**
 * Publishes the expiry of a certificate as a metric, in seconds since 1970. The file is read at every scrape,
 * so that a renewed certificate counts at once. While it cannot be read the metric has no value, and each new
 * reason is logged once.
 * @param file PEM; in a chain the first certificate counts, which browsers check
 */
export function showTlsExpiry(file: string, logger: Pick<Logger, 'warn'>): void {
  let loggedReason: string | undefined;
  gaugeOnScrape(
    {
      name: 'gateway_tls_certificate_expires_at_seconds',
      help: 'When the certificate by which browsers reach the gateway ends, in seconds since 1970',
    },
    async () => {
      try {
        const ends = new X509Certificate(await readFile(file)).validToDate;
        loggedReason = undefined;
        return { '': ends.getTime() / 1000 };
      } catch (err) {
        const reason = String(err);
        if (reason !== loggedReason)
          logger.warn({ err, file }, 'the TLS certificate cannot be read: nothing warns of its end');
        loggedReason = reason;
        throw err;
      }
    },
  );
}
