/** Starts the product that `main/` and `journeys/` share. It runs in Jest's main process and ends with it. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@karaar/testing/processes/ports';
import { startProduct } from '@karaar/dev/product';
import { startCollector } from '@karaar/testing/servers/collector';
import { roomyEnv, TRACED } from '../room.ts';

export default async function setup() {
  // The processes of the product do not keep Jest alive.
  globalThis.journeyKeepAlive = setInterval(() => undefined, 60_000);
  const stateDir = await mkdtemp(join(tmpdir(), 'karaar-journeys-'));
  const collector = await startCollector(TRACED);
  const metricsPort = await freePort();
  const product = await startProduct({
    stateDir,
    quiet: true,
    env: {
      ...roomyEnv,
      METRICS_PORT: String(metricsPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      // A sender cannot request sampling, so the product records all traces; the collector keeps those of tests.
      TRACE_SAMPLE_RATIO: '1',
    },
  });
  const { processes } = product;
  // Jest starts its workers later; they inherit this variable.
  process.env.JOURNEY_PRODUCT = JSON.stringify({
    url: product.url,
    postgresUrl: product.backing.postgresUrl,
    stateDir,
    services: Object.fromEntries(processes.map(({ name, url }) => [name, url])),
    inner: Object.fromEntries(
      processes.filter(({ innerUrl }) => innerUrl).map(({ name, innerUrl }) => [name, innerUrl]),
    ),
    traces: collector.endpoint,
    gatewayMetrics: `http://127.0.0.1:${metricsPort}/metrics`,
  });
  globalThis.journeyProduct = product;
  globalThis.journeyCollector = collector;
}
